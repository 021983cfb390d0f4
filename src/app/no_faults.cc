#include "app/linked_faults.h"

namespace holostat::app {

runtime::FaultHook* LinkedFaults() { return nullptr; }

}  // namespace holostat::app
