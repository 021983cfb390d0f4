#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "runtime/heap_requests.h"

namespace holostat::app {

// Whose heap `holostat heap` is about.
struct HeapTarget {
  std::optional<int> pid;                  // none: of the only process that runs
  std::optional<std::uint32_t> worker_id;  // of the service `pid`
  bool zygote = false;
};

// Asks the process that `target` means. Errors: kInvalidArgument (several run: names them),
// kNotFound (none runs), those of runtime::AskProcess.
Result<std::string> AskHeap(const HeapTarget& target, runtime::HeapRequest request);

// The same target with its pid, so that further questions go to the same process.
Result<HeapTarget> FindHeapTarget(HeapTarget target);

}  // namespace holostat::app
