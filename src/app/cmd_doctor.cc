#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/demo_picture.h"
#include "app/models_dir.h"
#include "app/tracker_options.h"
#include "base/process_memory.h"
#include "base/result.h"
#include "engine/xnn_segment.h"
#include "holostat/picture.h"
#include "media/library_info.h"
#include "media/video.h"
#include "runtime/control_group.h"
#include "vision/model_store.h"

namespace holostat::app {
namespace {

struct DoctorCall {
  std::string models_dir;
  bool json = false;
};

struct Finding {
  enum class State { kOk = 1, kWarning, kFault };
  State state;
  std::string what;    // what was looked at, and what was seen
  std::string remedy;  // how to mend it; empty when ok
  ExitCode code = ExitCode::kOk;
};

Finding Ok(std::string what) { return {Finding::State::kOk, std::move(what), "", ExitCode::kOk}; }
Finding Warning(std::string what, std::string remedy) {
  return {Finding::State::kWarning, std::move(what), std::move(remedy), ExitCode::kOk};
}
Finding Fault(std::string what, std::string remedy, ExitCode code = ExitCode::kInternal) {
  return {Finding::State::kFault, std::move(what), std::move(remedy), code};
}

Finding CheckCpu() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  if (avx512) return Ok("CPU: x86-64 with AVX-512");
  if (avx2) return Ok("CPU: x86-64 with AVX2 and FMA");
  return Warning("CPU: x86-64 without AVX2 and FMA",
                 "tracking works but is several times slower; in a virtual machine, pass the "
                 "host's CPU through");
#else
  return Ok("CPU: not x86-64, XNNPACK picks its own kernels");
#endif
}

Finding CheckInference() {
  const auto state = engine::InitializeXnnpack();
  if (state) return Ok("inference library: XNNPACK works on this CPU");
  return Fault("inference library: " + state.error().message,
               "XNNPACK needs at least SSE2 (x86) or NEON (ARM)");
}

void CheckModels(const std::string& option, std::vector<Finding>& findings) {
  const auto dir = LocateModels(option);
  if (!dir) {
    findings.push_back(Fault("models: " + dir.error().message,
                             "run ./dev setup in the source folder", ExitCode::kModel));
    return;
  }
  for (const vision::ModelInfo& info : vision::KnownModels()) {
    const auto file = vision::ReadModel(*dir, info.id);
    if (file)
      findings.push_back(Ok(fmt::format("model {}: verified", info.name)));
    else
      findings.push_back(Fault(fmt::format("model {}: {}", info.name, file.error().message),
                               "run ./dev setup again, it fetches what is damaged",
                               ExitCode::kModel));
  }
}

Finding CheckVideos() {
  const auto library = media::LoadVideoLibrary();
  if (library) return Ok("videos: " + (*library)->version());
  return Warning("videos: " + library.error().message,
                 "pictures can be tracked; for videos install FFmpeg's libraries, and "
                 "libholostat-video.so beside this program or as cmake --install does");
}

Finding CheckDescriptors() {
  struct rlimit limit {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  constexpr rlim_t kEnough = 256;
  const std::string what = fmt::format("open files: limit {}", limit.rlim_cur);
  return limit.rlim_cur >= kEnough ? Ok(what)
                                   : Warning(what, fmt::format("raise it: ulimit -n {}", kEnough));
}

Finding CheckMemory() {
  // The largest picture allowed by default, turned and drawn on, beside the heavy models.
  constexpr std::uint64_t kNeeded = std::uint64_t{768} << 20;
  const auto memory = ReadProcessMemory();
  if (!memory)
    return Warning("memory: " + memory.error().message,
                   "mount /proc, the memory figures come from there");
  const auto limit = runtime::ControlGroupMemoryLimit();
  if (!limit) return Ok("memory: no control group limit");
  const std::string what = fmt::format("memory: control group limit {} MB", *limit >> 20);
  return *limit >= kNeeded
             ? Ok(what)
             : Warning(what, fmt::format("give {} MB, or lower --max-pixels for smaller pictures",
                                         kNeeded >> 20));
}

Finding CheckTracking(const std::string& models_dir) {
  const auto picture = DecodePicture(DemoPicture());
  if (!picture)
    return Fault("self-test: " + picture.error().message,
                 "the picture libraries of this machine are broken");
  const auto tracker = CreateTracker({.models_dir = models_dir, .tracker = {}});
  if (!tracker) return Fault("self-test: " + tracker.error().message, "see the models above");
  const auto frame = (*tracker)->Process(picture->view(), std::chrono::microseconds(0));
  if (!frame) return Fault("self-test: " + frame.error().message, "please report this");
  if (frame->people.empty() || !frame->people[0].face || !frame->people[0].left_hand ||
      !frame->people[0].right_hand) {
    return Fault("self-test: the person of the demo picture was not found whole",
                 "please report this with the CPU's name");
  }
  return Ok("self-test: found body, face and both hands in the demo picture");
}

std::vector<Finding> Examine(const DoctorCall& call) {
  std::vector<Finding> findings{CheckCpu(), CheckInference()};
  for (const std::string& version : media::LibraryVersions())
    findings.push_back(Ok("picture library: " + version));
  findings.push_back(CheckVideos());
  CheckModels(call.models_dir, findings);
  findings.push_back(CheckDescriptors());
  findings.push_back(CheckMemory());
  findings.push_back(CheckTracking(call.models_dir));
  return findings;
}

const char* Name(Finding::State state) {
  switch (state) {
    case Finding::State::kOk:
      return "ok";
    case Finding::State::kWarning:
      return "warning";
    case Finding::State::kFault:
      return "fault";
  }
  return "?";
}

void Print(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    fmt::print("{:<8} {}\n", Name(finding.state), finding.what);
    if (!finding.remedy.empty()) fmt::print("         -> {}\n", finding.remedy);
  }
}

void PrintJson(const std::vector<Finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back(
        {{"state", Name(finding.state)}, {"what", finding.what}, {"remedy", finding.remedy}});
  }
  fmt::print("{}\n", list.dump(2));
}

ExitCode Doctor(const DoctorCall& call) {
  const auto findings = Examine(call);
  call.json ? PrintJson(findings) : Print(findings);
  const auto first = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code != ExitCode::kOk;
  });
  return first == findings.end() ? ExitCode::kOk : first->code;
}

constexpr char kFooter[] =
    "Looks at the CPU, the libraries, the models and the limits, and tracks the picture built "
    "in.\n\n"
    "Examples:\n"
    "  holostat doctor\n"
    "  holostat doctor --json | jq '.[] | select(.state != \"ok\")'\n\n"
    "Exit codes: 0 all ok, or warnings only; 4 a model is missing or damaged; 1 another fault.";

}  // namespace

Command AddDoctorCommand(CLI::App& program) {
  auto call = std::make_shared<DoctorCall>();
  CLI::App* parser =
      program.add_subcommand("doctor", "Check that everything needed is here and works");
  parser->footer(kFooter);
  parser->add_option("--models", call->models_dir, "Folder of the model files")->type_name("DIR");
  parser->add_flag("--json", call->json, "As JSON");
  return {parser, [call] { return Doctor(*call); }};
}

}  // namespace holostat::app
