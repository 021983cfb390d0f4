#include "engine/arena_planner.h"

#include <algorithm>
#include <numeric>

#include "base/aligned_buffer.h"

namespace holostat::engine {
namespace {

bool LiveTogether(const BufferLife& a, const BufferLife& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

std::size_t Aligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = AlignedBuffer::kAlignment;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

// Greedy by size: the largest first, each at the lowest offset where it fits. Within a few per cent
// of optimal for networks, where a few big buffers make nearly all of the total.
ArenaPlan PlanArena(std::span<const BufferLife> buffers) {
  std::vector<std::size_t> by_size(buffers.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, std::greater(),
                           [&](std::size_t i) { return buffers[i].bytes; });

  ArenaPlan plan;
  plan.offsets.resize(buffers.size(), 0);
  std::vector<std::size_t> placed;  // sorted by offset
  for (const std::size_t i : by_size) {
    const std::size_t bytes = Aligned(buffers[i].bytes);
    std::size_t offset = 0;
    for (const std::size_t other : placed) {
      if (!LiveTogether(buffers[i], buffers[other])) continue;
      if (offset + bytes <= plan.offsets[other]) break;
      offset = std::max(offset, plan.offsets[other] + Aligned(buffers[other].bytes));
    }
    plan.offsets[i] = offset;
    plan.bytes = std::max(plan.bytes, offset + bytes);
    const auto at = std::ranges::upper_bound(placed, offset, {},
                                             [&](std::size_t j) { return plan.offsets[j]; });
    placed.insert(at, i);
  }
  return plan;
}

}  // namespace holostat::engine
