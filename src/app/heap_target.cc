#include "app/heap_target.h"

#include <chrono>

#include "app/find_service.h"
#include "runtime/control_server.h"

namespace holostat::app {
namespace {

// A worker answers when it has finished its request; a dump may be large.
constexpr auto kAnswerTimeout = std::chrono::seconds(30);

}  // namespace

Result<HeapTarget> FindHeapTarget(HeapTarget target) {
  if (!target.pid) target.pid = HOLO_TRY(FindService(std::nullopt)).pid;
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
