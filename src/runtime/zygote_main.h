#pragma once

#include <sys/types.h>

#include <chrono>
#include <string_view>

#include "base/result.h"
#include "ipc/channel.h"
#include "runtime/fault_hook.h"
#include "runtime/job_handler.h"
#include "runtime/sandbox.h"

namespace holostat::runtime {

// Zygotes and workers are called so in ps and top: "holo-zygote", "holo-worker-7".
inline constexpr std::string_view kProcessNamePrefix = "holo-";

// Ends this process when its parent dies, from here on; false when `parent` is already gone. A
// zygote asks for it first of all: else one that loads for ever would outlive its supervisor. (The
// signal is for the death of whoever is the parent at that time.)
bool TieToParent(pid_t parent);

struct ZygoteOptions {
  pid_t supervisor = 0;  // who must be the parent; the zygote ends with it
  SandboxLimits limits;
  std::chrono::steady_clock::time_point started;
  FaultHook* faults = nullptr;  // not owned; null but in holostat-chaos
};

// The zygote's side of its channel: says that it is ready, then forks a worker each time it is
// asked, until the supervisor is gone. Never touches a model itself. Gives the exit code.
//
// A worker is forked twice, so that it becomes the child of the supervisor (which is a child
// subreaper) instead of ours: the supervisor sees how it ends, and the death of a zygote ends no
// worker. REQUIRES: one thread.
int RunZygote(ipc::Channel channel, JobHandler& handler, const ZygoteOptions& options);

}  // namespace holostat::runtime
