#include "app/heap_target.h"

#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "runtime/control_server.h"
#include "runtime/service_status.h"

namespace holostat::app {
namespace {

// A worker answers when it has finished its request; a dump may be large.
constexpr auto kAnswerTimeout = std::chrono::seconds(30);
constexpr auto kStatusTimeout = std::chrono::seconds(1);
constexpr std::size_t kMostListed = 16;

// "\n  4711  track"
std::string Describe(int pid) {
  std::string role = "?";
  const auto answer = runtime::AskProcess(pid, runtime::kStatusRequest, kStatusTimeout);
  if (answer) {
    const auto status = runtime::FromJson(*answer);
    if (status && !status->processes.empty()) role = status->processes[0].role;
  } else {
    role = answer.error().message;
  }
  return fmt::format("\n  {}  {}", pid, role);
}

}  // namespace

Result<HeapTarget> FindHeapTarget(HeapTarget target) {
  if (target.pid) return target;
  const std::vector<int> running = runtime::FindProcesses();
  if (running.empty()) return Fail(ErrorCode::kNotFound, "no process of holostat is running here");
  if (running.size() > 1) {
    std::string list;
    for (std::size_t i = 0; i < running.size() && i < kMostListed; ++i)
      list += Describe(running[i]);
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} processes are running; choose one with --pid:{}", running.size(), list));
  }
  target.pid = running.front();
  return target;
}

Result<std::string> AskHeap(const HeapTarget& target, runtime::HeapRequest request) {
  const HeapTarget found = HOLO_TRY(FindHeapTarget(target));
  if (found.worker_id) {
    request.target = runtime::HeapRequest::Target::kWorker;
    request.worker_id = *found.worker_id;
  } else if (found.zygote) {
    request.target = runtime::HeapRequest::Target::kZygote;
  }
  return runtime::AskProcess(*found.pid, runtime::ToLine(request), kAnswerTimeout);
}

}  // namespace holostat::app
