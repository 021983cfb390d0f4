#pragma once

#include "runtime/fault_hook.h"

namespace holostat::app {

// The faults that this program can do to itself: those of holostat-chaos, or null in the release
// program, which has none linked in.
runtime::FaultHook* LinkedFaults();

}  // namespace holostat::app
