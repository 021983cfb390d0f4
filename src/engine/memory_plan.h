#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/arena_planner.h"
#include "engine/graph.h"
#include "engine/partition.h"

namespace holostat::engine {

// Where the tensors stand that more than one segment sees, or that a caller of the model reads or
// writes: byte offsets into one arena. All others are XNNPACK's to place inside its segment. What
// must outlast a run, the outputs, stands in the first part of the arena, all else behind it.
//
// Tensors share memory where a node would only move data: the result of a RESHAPE stands where its
// operand does, and operands of a CONCATENATION stand inside the result, so their producers write
// there at once. Buffers share memory where they are not alive at the same time.
class MemoryPlan {
 public:
  // `extra_bytes` stay readable behind every buffer.
  MemoryPlan(const Graph& graph, std::span<const Segment> segments, std::size_t extra_bytes);

  std::size_t arena_bytes() const { return arena_bytes_; }
  std::size_t kept_bytes() const { return kept_bytes_; }  // of the first part
  std::optional<std::size_t> offset(TensorId tensor) const { return offsets_[tensor]; }

 private:
  std::vector<std::size_t> Place(std::span<const BufferLife> buffers, std::size_t end);

  std::size_t arena_bytes_ = 0, kept_bytes_ = 0;
  std::vector<std::optional<std::size_t>> offsets_;
};

}  // namespace holostat::engine
