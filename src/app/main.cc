#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <exception>

#include "app/command.h"

namespace holostat::app {
namespace {

constexpr char kDescription[] =
    "Holostat: holistic human tracking (body, hands, face) in a fixed amount of memory.\n"
    "Documentation and source: README.md of the project.";

int Main(int argc, char** argv) {
  CLI::App program{kDescription, "holostat"};
  program.set_version_flag("--version", "holostat " HOLOSTAT_VERSION);
  program.require_subcommand(1);
  program.failure_message([](const CLI::App* app, const CLI::Error& error) {
    return fmt::format("holostat: {}\nTry: {} --help\n", error.what(), app->get_display_name());
  });
  const std::array commands{AddTrackCommand(program), AddBenchCommand(program),
                            AddModelsCommand(program), AddDoctorCommand(program),
                            AddCompletionCommand(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  for (const Command& command : commands) {
    if (command.parser->parsed()) return static_cast<int>(command.run());
  }
  return static_cast<int>(ExitCode::kUsage);
}

}  // namespace
}  // namespace holostat::app

int main(int argc, char** argv) {
  try {
    return holostat::app::Main(argc, argv);
  } catch (const std::exception& error) {  // of a library, bad_alloc for one
    std::fprintf(stderr, "holostat: internal error: %s\n", error.what());
    return static_cast<int>(holostat::app::ExitCode::kInternal);
  }
}
