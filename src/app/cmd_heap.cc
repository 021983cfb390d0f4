#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/command.h"
#include "app/heap_target.h"
#include "app/output_file.h"
#include "app/progress.h"
#include "app/say.h"
#include "base/read_file.h"
#include "base/result.h"
#include "runtime/heap_profile.h"
#include "runtime/heap_report.h"
#include "runtime/heap_requests.h"
#include "runtime/heap_snapshot.h"

namespace holostat::app {
namespace {

using runtime::HeapRequest;
using runtime::HeapSnapshot;

constexpr std::uint64_t kMaxSnapshotBytes = std::uint64_t{64} << 20;
constexpr auto kTick = std::chrono::milliseconds(100);

struct HeapCall {
  HeapTarget target;
  std::vector<std::string> files;
  std::string output;
  double seconds = 10;
  std::size_t count = 10;
  int sample_log2 = runtime::kDefaultSampleLog2;
  bool json = false;
};

// Set by Ctrl-C: the waiting ends, and what was seen until then is reported.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

HeapRequest StartRequest(const HeapCall& call) {
  return {.action = HeapRequest::Action::kStart,
          .sample_log2 = static_cast<std::uint8_t>(call.sample_log2)};
}

ExitCode StopForProcess(const Error& error) {
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      return Stop(error, ExitCode::kUsage);
    case ErrorCode::kNotFound:
      return Stop(error, ExitCode::kInputUnreadable);
    default:
      return Stop(error, ExitCode::kInternal);
  }
}

Result<HeapSnapshot> TakeSnapshot(const HeapTarget& target) {
  return runtime::ParseHeapSnapshot(
      HOLO_TRY(AskHeap(target, {.action = HeapRequest::Action::kDump})));
}

Result<HeapSnapshot> ReadSnapshot(const std::string& path) {
  const auto bytes = HOLO_TRY(ReadFile(path, kMaxSnapshotBytes));
  return runtime::ParseHeapSnapshot({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Names of functions and files come from outside; only the ends of lines are ours.
void PrintLines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = text.find('\n');
    fmt::print("{}\n", Printable(text.substr(0, length)));
    text.remove_prefix(std::min(length, text.size() - 1) + 1);
  }
}

ExitCode Print(const Result<runtime::HeapReport>& report, const HeapCall& call) {
  if (!report) return Stop(report.error(), InputExitCode(report.error().code));
  if (call.json)
    fmt::print("{}\n", ToJson(*report));
  else
    PrintLines(ToText(*report));
  return ExitCode::kOk;
}

void Wait(const HeapCall& call) {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  const auto ticks = static_cast<std::size_t>(std::lround(call.seconds * 1000 / kTick.count()));
  Progress progress(ticks, true);
  for (std::size_t tick = 0; tick < ticks && !interrupted; ++tick) {
    progress.Update(tick, "sampling; Ctrl-C to report now");
    std::this_thread::sleep_for(kTick);
  }
}

Result<runtime::HeapReport> WatchGrowth(const HeapTarget& target, const HeapCall& call) {
  HOLO_TRY(AskHeap(target, StartRequest(call)));
  const auto before = TakeSnapshot(target);
  if (before) Wait(call);
  const auto after = before ? TakeSnapshot(target) : before;
  // Also when the dumps failed; that it is off when the process has ended needs no word.
  static_cast<void>(AskHeap(target, {.action = HeapRequest::Action::kStop}));
  if (!after) return tl::unexpected(after.error());
  return runtime::MakeHeapReport(&*before, *after, call.count);
}

ExitCode Top(const HeapCall& call) {
  const auto target = FindHeapTarget(call.target);
  if (!target) return StopForProcess(target.error());
  const auto report = WatchGrowth(*target, call);
  if (!report) return StopForProcess(report.error());
  return Print(report, call);
}

// Sampling that has seen nothing loses nothing when it is started (again).
Result<bool> StartWhereNothingWasSeen(const HeapTarget& target, const HeapSnapshot& snapshot,
                                      const HeapCall& call) {
  const auto profile = HOLO_TRY(runtime::ParseHeapProfile(snapshot.profile));
  if (!profile.sites.empty()) return false;
  HOLO_TRY(AskHeap(target, StartRequest(call)));
  return true;
}

ExitCode Snapshot(const HeapCall& call) {
  const auto target = FindHeapTarget(call.target);
  if (!target) return StopForProcess(target.error());
  const auto snapshot = TakeSnapshot(*target);
  if (!snapshot) return StopForProcess(snapshot.error());
  const auto started = StartWhereNothingWasSeen(*target, *snapshot, call);
  if (!started) return StopForProcess(started.error());
  const auto written = WriteFile(call.output, runtime::FormatHeapSnapshot(*snapshot));
  if (!written) return Stop(written.error(), OutputExitCode(written.error().code));
  if (*started) Say("sampling begins now: take another snapshot later, then: holostat heap diff\n");
  return ExitCode::kOk;
}

ExitCode StopSampling(const HeapCall& call) {
  const auto stopped = AskHeap(call.target, {.action = HeapRequest::Action::kStop});
  return stopped ? ExitCode::kOk : StopForProcess(stopped.error());
}

// Of one file what it holds, of two what the second has more.
ExitCode ReportFiles(const HeapCall& call) {
  std::vector<HeapSnapshot> snapshots;
  for (const std::string& file : call.files) {
    auto snapshot = ReadSnapshot(file);
    if (!snapshot)
      return Stop(WithContext(snapshot.error(), file), InputExitCode(snapshot.error().code));
    snapshots.push_back(*std::move(snapshot));
  }
  const HeapSnapshot* before = snapshots.size() > 1 ? &snapshots.front() : nullptr;
  return Print(runtime::MakeHeapReport(before, snapshots.back(), call.count), call);
}

constexpr char kFooter[] =
    "Finds out which code allocates what is never freed, in a process that runs: of a worker of "
    "a\n"
    "service, or of any command of holostat. Costs nothing until it is switched on and little "
    "then\n"
    "(one block in 64 KiB allocated is looked at; --sample-log2).\n\n"
    "Examples:\n"
    "  holostat heap top                          what grows, over 10 seconds\n"
    "  holostat heap top --worker 3 --seconds 60  of one worker of the only service here\n"
    "  holostat heap top --pid 4711 --json | jq '.sites[0].function'\n"
    "  holostat heap snapshot -o a.heap           switches sampling on; later:\n"
    "  holostat heap snapshot -o b.heap && holostat heap diff a.heap b.heap && holostat heap "
    "stop\n\n"
    "Exit codes: 0 ok; 1 the process cannot, or failed; 2 usage, or several processes to choose "
    "from;\n"
    "3 no such process, or a file that is no snapshot.";

void AddTarget(CLI::App& parser, HeapCall& call) {
  auto* pid = parser.add_option("--pid", call.target.pid, "Of this process (holostat top lists)");
  pid->type_name("PID")->check(CLI::PositiveNumber);
  auto* worker = parser.add_option("--worker", call.target.worker_id, "Of worker N of the service");
  worker->type_name("N");
  parser.add_flag("--zygote", call.target.zygote, "Of the zygote of the service")->excludes(worker);
}

void AddSampling(CLI::App& parser, HeapCall& call) {
  parser
      .add_option("--sample-log2", call.sample_log2,
                  "A sample each 2^N bytes allocated, on average (default 16)")
      ->type_name("N")
      ->check(CLI::Range(10, 30));
}

void AddReport(CLI::App& parser, HeapCall& call) {
  parser.add_option("--count", call.count, "How many places in the code to name (default 10)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  parser.add_flag("--json", call.json, "As one line of JSON");
}

CLI::App* AddTop(CLI::App& heap, HeapCall& call) {
  CLI::App* parser = heap.add_subcommand("top", "Sample for a while and tell what grew");
  AddTarget(*parser, call);
  parser->add_option("--seconds", call.seconds, "For how long (default 10)")
      ->type_name("S")
      ->check(CLI::Range(0.1, 86400.0));
  AddSampling(*parser, call);
  AddReport(*parser, call);
  return parser;
}

CLI::App* AddSnapshot(CLI::App& heap, HeapCall& call) {
  CLI::App* parser =
      heap.add_subcommand("snapshot", "Write what is sampled to a file; switch sampling on");
  AddTarget(*parser, call);
  parser->add_option("-o,--out", call.output, "The file")->type_name("FILE")->required();
  AddSampling(*parser, call);
  return parser;
}

CLI::App* AddFiles(CLI::App& heap, HeapCall& call, const char* name, const char* about, int files) {
  CLI::App* parser = heap.add_subcommand(name, about);
  parser->add_option("FILE", call.files, "Of holostat heap snapshot")->required()->expected(files);
  AddReport(*parser, call);
  return parser;
}

}  // namespace

Command AddHeapCommand(CLI::App& program) {
  auto call = std::make_shared<HeapCall>();
  CLI::App* heap = program.add_subcommand("heap", "Tell which code holds or leaks memory");
  heap->footer(kFooter);
  heap->require_subcommand(1);
  const std::vector<Command> commands{
      {AddTop(*heap, *call), [call] { return Top(*call); }},
      {AddSnapshot(*heap, *call), [call] { return Snapshot(*call); }},
      {AddFiles(*heap, *call, "diff", "Tell what the second snapshot has more", 2),
       [call] { return ReportFiles(*call); }},
      {AddFiles(*heap, *call, "show", "Tell what a snapshot holds", 1),
       [call] { return ReportFiles(*call); }},
      {heap->add_subcommand("stop", "Switch sampling off"),
       [call] { return StopSampling(*call); }}};
  AddTarget(*commands.back().parser, *call);
  for (const Command& command : commands) command.parser->footer("See: holostat heap --help");
  return {heap, [heap, commands] {
            for (const Command& command : commands) {
              if (heap->got_subcommand(command.parser)) return command.run();
            }
            return ExitCode::kUsage;
          }};
}

}  // namespace holostat::app
