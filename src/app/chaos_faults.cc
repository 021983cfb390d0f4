// Only linked into holostat-chaos.
#include "app/linked_faults.h"
#include "runtime/faults.h"

namespace holostat::app {

runtime::FaultHook* LinkedFaults() {
  static runtime::Faults faults;
  return &faults;
}

}  // namespace holostat::app
