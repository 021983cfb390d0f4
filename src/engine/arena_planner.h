#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace holostat::engine {

// A buffer and the steps during which its contents matter, both ends included.
struct BufferLife {
  std::size_t bytes = 0;
  std::size_t first_step = 0;
  std::size_t last_step = 0;
};

struct ArenaPlan {
  std::vector<std::size_t> offsets;  // one a buffer, multiples of AlignedBuffer::kAlignment
  std::size_t bytes = 0;             // of the whole arena
};

// Packs buffers into one arena so that none overlaps another that lives at the same time.
ArenaPlan PlanArena(std::span<const BufferLife> buffers);

}  // namespace holostat::engine
