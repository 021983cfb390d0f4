#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <span>

#include "app/command.h"
#include "app/say.h"

namespace holostat::app {
namespace {

constexpr char kDescription[] =
    "Holostat: holistic human tracking (body, hands, face) in a fixed amount of memory.\n"
    "Documentation and source: README.md of the project.";

// A standard stream that was closed before we started would be reused by the next file we open, and
// messages would go into it.
void OccupyStandardStreams() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
    if (fd > STDERR_FILENO) {
      ::close(fd);
      return;
    }
  }
}

bool IsUnknownCommand(const CLI::App& program, std::string_view word) {
  const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
  return !word.empty() && !word.starts_with('-') &&
         std::none_of(commands.begin(), commands.end(),
                      [&](const CLI::App* command) { return command->get_name() == word; });
}

ExitCode RunParsed(const CLI::App& program, std::span<const Command> commands) {
  for (const Command& command : commands) {
    if (program.got_subcommand(command.parser)) return command.run();
  }
  return ExitCode::kUsage;
}

// A full disk behind standard output shows here at the latest.
ExitCode FlushOutput(ExitCode code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return code != ExitCode::kOk ? code
                               : Stop({ErrorCode::kUnavailable, "cannot write to standard output"},
                                      ExitCode::kInternal);
}

ExitCode Main(int argc, char** argv) {
  OccupyStandardStreams();
  CLI::App program{kDescription, "holostat"};
  program.set_version_flag("--version", "holostat " HOLOSTAT_VERSION);
  program.require_subcommand(1);
  program.failure_message([](const CLI::App* app, const CLI::Error& error) {
    const auto chosen = app->get_subcommands();
    return fmt::format("holostat: {}\nTry: holostat {}--help\n", Printable(error.what()),
                       chosen.empty() ? "" : chosen.front()->get_name() + " ");
  });
  // One a line: a new command is one line more.
  const std::array commands{
      AddTrackCommand(program),       //
      AddSwapCommand(program),        //
      AddServeCommand(program),       //
      AddBenchCommand(program),       //
      AddModelsCommand(program),      //
      AddDoctorCommand(program),      //
      AddTopCommand(program),         //
      AddHeapCommand(program),        //
      AddSoakCommand(program),        //
      AddCompletionCommand(program),  //
      AddZygoteCommand(program),
  };
  if (const std::string_view word = argc > 1 ? argv[1] : ""; IsUnknownCommand(program, word)) {
    return Stop({ErrorCode::kInvalidArgument,
                 fmt::format("there is no command {} (see: holostat --help)", word)},
                ExitCode::kUsage);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for = program.exit(error) == 0;  // --help, --version
    return FlushOutput(asked_for ? ExitCode::kOk : ExitCode::kUsage);
  }
  return FlushOutput(RunParsed(program, commands));
}

}  // namespace
}  // namespace holostat::app

int main(int argc, char** argv) {
  using holostat::app::ExitCode;
  try {
    return static_cast<int>(holostat::app::Main(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("holostat: out of memory\n", stderr);
  } catch (const std::exception& error) {  // of a library
    std::fprintf(stderr, "holostat: internal error: %s\n", error.what());
  }
  return static_cast<int>(ExitCode::kInternal);
}
