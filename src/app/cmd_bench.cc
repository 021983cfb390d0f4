#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/demo_picture.h"
#include "app/door.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/tracker_options.h"
#include "base/heap_calls.h"
#include "base/process_memory.h"
#include "base/result.h"
#include "holostat/picture.h"

namespace holostat::app {
namespace {

constexpr std::size_t kWarmUpFrames = 5;
constexpr std::chrono::microseconds kFrameTime{33333};

struct BenchCall {
  TrackerOptions tracker;
  std::string picture;  // empty: the demo picture
  std::size_t frames = 100;
  bool json = false;
};

struct StageSamples {
  std::string name;
  bool is_model = false;
  std::vector<double> ms;  // one a frame
};

struct Report {
  std::string cpu;
  std::size_t people = 0;
  std::vector<double> frame_ms;
  std::vector<StageSamples> stages;
  std::uint64_t heap_calls = 0;  // in all measured frames
  ProcessMemory at_start, with_models, at_end;
};

double Milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// The smallest sample that at least a share `q` of the samples does not exceed (nearest rank).
double Quantile(std::vector<double> samples, double q) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const double rank = std::ceil(q * static_cast<double>(samples.size()));
  return samples[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::string CpuName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(':') + 2, line.size()));
  }
  return "unknown";
}

Result<Image> LoadPicture(const BenchCall& call) {
  if (call.picture.empty()) return DecodePicture(DemoPicture());
  return ReadPicture(call.picture);
}

// Room for all samples is made here, so that taking them makes no heap call of its own.
void Prepare(const HolisticTracker& tracker, std::size_t frames, Report& report) {
  report.frame_ms.reserve(frames);
  for (const StageTime& stage : tracker.last_stage_times()) {
    report.stages.push_back({std::string(stage.name), stage.is_model, {}});
    report.stages.back().ms.reserve(frames);
  }
}

Result<void> Measure(HolisticTracker& tracker, const ImageView& picture, const BenchCall& call,
                     Report& report) {
  std::chrono::microseconds timestamp{0};
  for (std::size_t i = 0; i < kWarmUpFrames; ++i) {
    report.people = HOLO_TRY(tracker.Process(picture, timestamp += kFrameTime)).people.size();
  }
  Prepare(tracker, call.frames, report);
  Progress progress(call.frames, !call.json);
  for (std::size_t i = 0; i < call.frames; ++i) {
    progress.Update(i, "");
    const std::uint64_t heap_calls = HeapCalls();
    const auto start = std::chrono::steady_clock::now();
    const auto frame = tracker.Process(picture, timestamp += kFrameTime);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    report.heap_calls += HeapCalls() - heap_calls;
    if (!frame) return tl::unexpected(frame.error());
    report.frame_ms.push_back(Milliseconds(elapsed));
    const auto stages = tracker.last_stage_times();
    for (std::size_t s = 0; s < stages.size(); ++s)
      report.stages[s].ms.push_back(Milliseconds(stages[s].total));
  }
  return {};
}

double SumOfMedians(const Report& report, bool models_only) {
  double sum = 0;
  for (const StageSamples& stage : report.stages) {
    if (stage.is_model || !models_only) sum += Quantile(stage.ms, 0.5);
  }
  return sum;
}

double HeapCallsPerFrame(const Report& report) {
  return static_cast<double>(report.heap_calls) / static_cast<double>(report.frame_ms.size());
}

nlohmann::ordered_json ToJson(const Report& report) {
  nlohmann::ordered_json stages;
  for (const StageSamples& stage : report.stages) stages[stage.name] = Quantile(stage.ms, 0.5);
  return {{"cpu", report.cpu},
          {"people", report.people},
          {"frame_ms",
           {{"min", Quantile(report.frame_ms, 0)},
            {"p50", Quantile(report.frame_ms, 0.5)},
            {"p99", Quantile(report.frame_ms, 0.99)}}},
          {"stages_ms", stages},
          {"stages_sum_ms", SumOfMedians(report, false)},
          {"models_sum_ms", SumOfMedians(report, true)},
          {"heap_calls_per_frame", HeapCallsPerFrame(report)},
          {"uss_bytes", report.at_end.uss_bytes},
          {"uss_before_models_bytes", report.at_start.uss_bytes},
          {"uss_with_models_bytes", report.with_models.uss_bytes},
          {"peak_rss_bytes", report.at_end.peak_rss_bytes},
          {"frames", report.frame_ms.size()}};
}

double Megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

void PrintTable(const Report& report) {
  const double models = SumOfMedians(report, true);
  const double all = SumOfMedians(report, false);
  fmt::print("{}\n{} frames, {} person(s)\n\n", report.cpu, report.frame_ms.size(), report.people);
  fmt::print("  {:<18} {:>9}\n", "stage", "median ms");
  for (const StageSamples& stage : report.stages) {
    fmt::print("  {:<18} {:>9.3f}{}\n", stage.name, Quantile(stage.ms, 0.5),
               stage.is_model ? "  model" : "");
  }
  fmt::print("  {:<18} {:>9.3f}  {:.2f} x the models' {:.3f}\n\n", "sum", all, all / models,
             models);
  fmt::print("frame: min {:.2f} ms, median {:.2f} ms, p99 {:.2f} ms\n",
             Quantile(report.frame_ms, 0), Quantile(report.frame_ms, 0.5),
             Quantile(report.frame_ms, 0.99));
  fmt::print("heap calls a frame: {}\n", HeapCallsPerFrame(report));
  fmt::print(
      "private memory (USS): {:.1f} MB = program and picture {:.1f} + models {:.1f} + frames "
      "{:.1f}; peak RSS {:.1f} MB\n",
      Megabytes(report.at_end.uss_bytes), Megabytes(report.at_start.uss_bytes),
      Megabytes(report.with_models.uss_bytes) - Megabytes(report.at_start.uss_bytes),
      Megabytes(report.at_end.uss_bytes) - Megabytes(report.with_models.uss_bytes),
      Megabytes(report.at_end.peak_rss_bytes));
}

ExitCode Bench(const BenchCall& call) {
  Report report;
  report.cpu = CpuName();
  const auto picture = LoadPicture(call);
  if (!picture) return Stop(picture.error(), InputExitCode(picture.error().code));
  const auto door = OpenDoor("bench");
  auto memory = ReadProcessMemory();
  if (!memory) return Stop(memory.error(), ExitCode::kInternal);
  report.at_start = *memory;
  const auto tracker = CreateTracker(call.tracker);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  report.with_models = ReadProcessMemory().value_or(*memory);
  if (const auto done = Measure(**tracker, picture->view(), call, report); !done) {
    return Stop(done.error(), ExitCode::kInternal);
  }
  report.at_end = ReadProcessMemory().value_or(*memory);
  if (call.json) {
    fmt::print("{}\n", ToJson(report).dump());
  } else {
    PrintTable(report);
  }
  return ExitCode::kOk;
}

constexpr char kFooter[] =
    "Times are of this machine at this moment: compare ratios within one run. Heap calls are "
    "counted\n"
    "by interposing malloc and free; the memory figures are docs/memory.md's.\n\n"
    "Examples:\n"
    "  holostat bench\n"
    "  holostat bench --picture me.jpg --complexity lite --frames 300\n"
    "  holostat bench --json | jq .heap_calls_per_frame";

}  // namespace

Command AddBenchCommand(CLI::App& program) {
  auto call = std::make_shared<BenchCall>();
  CLI::App* parser = program.add_subcommand("bench", "Measure time a stage, heap calls and memory");
  parser->footer(kFooter);
  AddTrackerOptions(*parser, call->tracker);
  parser->add_option("--picture", call->picture, "Track this picture instead of the one built in")
      ->type_name("FILE");
  parser->add_option("--frames", call->frames, "How many frames to measure (default 100)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  parser->add_flag_callback(
      "--video", [call] { call->tracker.tracker.frames = Frames::kVideo; },
      "Follow the person from frame to frame instead of finding it anew in each");
  parser->add_flag("--json", call->json, "As one line of JSON");
  return {parser, [call] { return Bench(*call); }};
}

}  // namespace holostat::app
