#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/service_status.h"

namespace holostat::server {

// Numbers for the workers of a time series: a replacement takes the number of one that has gone. A
// worker's own id is never used twice, so that a metric labelled with it would become one more
// series at each replacement, without end. Bound to one thread.
class ProcessSlots {
 public:
  static constexpr std::size_t kCapacity = 512;  // twice as many workers as there may be

  // A number for each of `processes`, in their order: for a worker the smallest that is free, which
  // it keeps while it lives; kCapacity when all are taken. Others count from 0 in their role.
  std::vector<std::size_t> Assign(const std::vector<runtime::ProcessStatus>& processes);

 private:
  std::size_t SlotOf(std::uint32_t worker_id);

  std::array<std::uint32_t, kCapacity> taken_{};  // by a worker id; 0: free
};

}  // namespace holostat::server
