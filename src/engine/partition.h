#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/graph.h"

namespace holostat::engine {

enum class Executor : std::uint8_t { kXnnpack = 1, kNative };

// Who runs an operator. Native are those XNNPACK has not, and those that only move data.
Executor ExecutorOf(OpType op);

// Nodes that run together: all XNNPACK nodes of a segment are one XNNPACK runtime.
struct Segment {
  Executor executor;
  std::vector<std::size_t> nodes;  // indices into graph.nodes, in execution order
};

// Splits the nodes into as few segments as their dependencies allow, to be run in the order given.
std::vector<Segment> Partition(const Graph& graph);

}  // namespace holostat::engine
