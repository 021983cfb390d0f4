#pragma once

#include <cstdint>

#include "base/mapping.h"
#include "ipc/channel.h"
#include "runtime/fault_hook.h"
#include "runtime/job_handler.h"
#include "runtime/sandbox.h"

namespace holostat::runtime {

struct WorkerSeat {
  std::uint32_t worker_id = 0;
  ipc::Channel channel;
  Mapping answer_area;  // writable
};

// The life of a worker after its sandbox: says that it is ready, then one job after the other until
// it is told to stop or the supervisor is gone. Gives the exit code. `faults` may be null.
int RunWorker(WorkerSeat seat, JobHandler& handler, FaultHook* faults);

}  // namespace holostat::runtime
