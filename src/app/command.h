#pragma once

#include <CLI/App.hpp>
#include <functional>

#include "app/exit_code.h"

namespace holostat::app {

// One subcommand: how it is called, and what it does once its options are parsed.
struct Command {
  CLI::App* parser = nullptr;  // owned by the parser it was added to
  std::function<ExitCode()> run;
};

Command AddTrackCommand(CLI::App& program);
Command AddSwapCommand(CLI::App& program);
Command AddBenchCommand(CLI::App& program);
Command AddModelsCommand(CLI::App& program);
Command AddDoctorCommand(CLI::App& program);
Command AddTopCommand(CLI::App& program);
Command AddHeapCommand(CLI::App& program);
Command AddServeCommand(CLI::App& program);
Command AddSoakCommand(CLI::App& program);
Command AddCompletionCommand(CLI::App& program);
Command AddZygoteCommand(CLI::App& program);

}  // namespace holostat::app
