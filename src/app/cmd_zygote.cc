#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/linked_faults.h"
#include "app/models_dir.h"
#include "app/say.h"
#include "app/track_job_handler.h"
#include "ipc/channel.h"
#include "ipc/message.h"
#include "runtime/zygote_main.h"

namespace holostat::app {
namespace {

constexpr int kChannelFd = 3;

struct ZygoteCall {
  std::string models_dir;
  int supervisor = 0;
  std::uint32_t models_mask = 0;
  std::uint64_t worker_memory_mb = 512;
  std::size_t max_pixels = 32'000'000;
};

// Both kinds of face with each: the plain one takes little.
std::vector<vision::MultiTracker::Request> Variants(std::uint32_t models) {
  std::vector<vision::MultiTracker::Request> chosen;
  for (const auto& [asked, complexity] : {std::pair(ipc::Complexity::kLite, Complexity::kLite),
                                          std::pair(ipc::Complexity::kFull, Complexity::kFull),
                                          std::pair(ipc::Complexity::kHeavy, Complexity::kHeavy)}) {
    for (const bool segmentation : {false, true}) {
      if ((models & ipc::ModelBit(asked, segmentation)) == 0) continue;
      for (const bool refine_face : {true, false})
        chosen.push_back({complexity, refine_face, segmentation, kMaxPeople});
    }
  }
  return chosen;
}

ExitCode Zygote(const ZygoteCall& call) {
  const auto started = std::chrono::steady_clock::now();
  if (!runtime::TieToParent(call.supervisor)) return ExitCode::kOk;
  const auto dir = LocateModels(call.models_dir);
  if (!dir) return Stop(dir.error(), ExitCode::kModel);
  auto tracker = pipeline::RequestTracker::Create({.models_dir = *dir,
                                                   .variants = Variants(call.models_mask),
                                                   .limits = {.max_pixels = call.max_pixels}});
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  TrackJobHandler handler(*std::move(tracker), call.models_mask);
  const runtime::ZygoteOptions options{.supervisor = call.supervisor,
                                       .limits = {.memory_bytes = call.worker_memory_mb << 20},
                                       .started = started,
                                       .faults = LinkedFaults()};
  return static_cast<ExitCode>(
      runtime::RunZygote(ipc::Channel(UniqueFd(kChannelFd)), handler, options));
}

}  // namespace

// Not for people: the supervisor starts it. So it has no place in --help.
Command AddZygoteCommand(CLI::App& program) {
  auto call = std::make_shared<ZygoteCall>();
  CLI::App* parser = program.add_subcommand("zygote", "")->group("");
  parser->add_option("--models", call->models_dir);
  parser->add_option("--supervisor", call->supervisor)->required();
  parser->add_option("--models-mask", call->models_mask)->required();
  parser->add_option("--worker-memory-mb", call->worker_memory_mb);
  parser->add_option("--max-pixels", call->max_pixels);
  return {parser, [call] { return Zygote(*call); }};
}

}  // namespace holostat::app
