#pragma once

#include <memory>
#include <string>

#include "runtime/heap_door.h"

namespace holostat::app {

// Lets `holostat top` and `holostat heap` look at this process for as long as the result lives.
// Null where that is not possible: no reason for a command not to do its work.
std::unique_ptr<runtime::HeapDoor> OpenDoor(std::string role);

}  // namespace holostat::app
