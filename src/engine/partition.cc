#include "engine/partition.h"

#include <algorithm>

namespace holostat::engine {

Executor ExecutorOf(OpType op) {
  switch (op) {
    case OpType::kConcatenation:
    case OpType::kLandmarksToTransformMatrix:
    case OpType::kReshape:
    case OpType::kStridedSlice:
    case OpType::kTransformLandmarks:
    case OpType::kTransformTensorBilinear:
      return Executor::kNative;
    default:
      return Executor::kXnnpack;
  }
}

std::vector<Segment> Partition(const Graph& graph) {
  // XNNPACK nodes have even levels and native ones odd levels; a node is on the lowest level of its
  // parity that is not below the levels of those it reads from. Nodes of a level thus never wait
  // for a node of a later one.
  std::vector<std::size_t> tensor_level(graph.tensors.size(), 0);
  std::vector<Segment> levels;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const Executor executor = ExecutorOf(node.op);
    std::size_t level = 0;
    for (const TensorId id : node.inputs) {
      if (id != kNoTensor) level = std::max(level, tensor_level[id]);
    }
    if (level % 2 != (executor == Executor::kNative ? 1U : 0U)) ++level;
    for (const TensorId id : node.outputs) tensor_level[id] = level;
    while (levels.size() <= level) {
      levels.push_back({levels.size() % 2 == 0 ? Executor::kXnnpack : Executor::kNative, {}});
    }
    levels[level].nodes.push_back(i);
  }
  std::erase_if(levels, [](const Segment& segment) { return segment.nodes.empty(); });
  return levels;
}

}  // namespace holostat::engine
