#pragma once

#include "holostat/result.h"

namespace holostat::app {

// What a command says to the shell (`holostat track --help`).
enum class ExitCode : int {
  kOk = 0,
  kInternal = 1,         // a fault of ours, or of the machine (disk full, output not writable)
  kUsage = 2,            // the call is wrong
  kInputUnreadable = 3,  // missing, not a picture, damaged
  kModel = 4,            // a model is missing or damaged
  kOverLimit = 5,        // the input is larger than a limit
  kInterrupted = 130,    // Ctrl-C, by the shells' convention of 128 + signal
};

// The exit code for an error met while reading an input, loading the models, or writing an output.
ExitCode InputExitCode(ErrorCode code);
ExitCode ModelExitCode(ErrorCode code);
ExitCode OutputExitCode(ErrorCode code);

}  // namespace holostat::app
