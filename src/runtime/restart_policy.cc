#include "runtime/restart_policy.h"

#include <algorithm>

namespace holostat::runtime {

void RestartPolicy::Failed(SteadyTime at) {
  ++failures_;
  may_start_at_ = at;
  if (failures_ <= options_.free_failures) return;
  const std::uint32_t doublings = std::min(failures_ - options_.free_failures - 1, 20u);
  may_start_at_ = at + std::min(options_.first_delay * (1u << doublings), options_.max_delay);
}

}  // namespace holostat::runtime
