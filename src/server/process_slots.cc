#include "server/process_slots.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace holostat::server {

std::vector<std::size_t> ProcessSlots::Assign(
    const std::vector<runtime::ProcessStatus>& processes) {
  for (std::uint32_t& id : taken_) {
    const bool lives = std::any_of(
        processes.begin(), processes.end(),
        [&](const runtime::ProcessStatus& one) { return one.role == "worker" && one.id == id; });
    if (!lives) id = 0;
  }
  std::vector<std::size_t> slots;
  std::map<std::string_view, std::size_t> others;
  for (const runtime::ProcessStatus& process : processes)
    slots.push_back(process.role == "worker" ? SlotOf(process.id) : others[process.role]++);
  return slots;
}

std::size_t ProcessSlots::SlotOf(std::uint32_t worker_id) {
  auto slot = std::find(taken_.begin(), taken_.end(), worker_id);
  if (slot == taken_.end()) slot = std::find(taken_.begin(), taken_.end(), 0u);
  if (slot == taken_.end()) return kCapacity;
  *slot = worker_id;
  return static_cast<std::size_t>(slot - taken_.begin());
}

}  // namespace holostat::server
