#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace holostat::runtime {

// The door (control_server.h) of a process that has no event loop of its own, such as `holostat
// track`: a thread, "heap-door", that answers `heap ...` (heap_requests.h) and `status`
// (service_status.h) of its own process. Sleeps until asked; joined by the destructor.
//
// Not for a process that forks. Bound to the thread that made it.
class HeapDoor {
 public:
  // `role` is what the process is in its status, and its name in snapshots: "track". Errors:
  // kUnavailable (the door is taken), kOverloaded (no thread, no descriptor).
  static Result<std::unique_ptr<HeapDoor>> Open(std::string role);
  virtual ~HeapDoor() = default;
};

}  // namespace holostat::runtime
