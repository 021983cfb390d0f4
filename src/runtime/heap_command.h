#pragma once

#include "ipc/message.h"

namespace holostat::runtime {

// Does what a worker or the zygote was asked for its own heap; `fd` is where a dump goes.
ipc::HeapDone RunHeapCommand(const ipc::HeapCommand& command, int fd);

}  // namespace holostat::runtime
