#pragma once

#include <string>

#include "app/exit_code.h"
#include "holostat/result.h"

namespace holostat::app {

// Says what went wrong with an input of the call and gives `code`. The message names the input,
// once: it may already do so.
ExitCode StopFor(const std::string& input, const Error& error, ExitCode code);

}  // namespace holostat::app
