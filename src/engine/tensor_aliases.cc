#include "engine/tensor_aliases.h"

#include <algorithm>

namespace holostat::engine {
namespace {

bool TakesEverything(const Graph& graph, const Node& slice) {
  return graph.tensors[slice.inputs[0]].shape == graph.tensors[slice.outputs[0]].shape;
}

}  // namespace

bool IsTailConcatenation(const Graph& graph, const Node& node) {
  const Shape& shape = graph.tensors[node.outputs[0]].shape;
  const std::int32_t axis = std::get<ConcatAttributes>(node.attributes).axis;
  return std::all_of(shape.begin(), shape.begin() + axis, [](std::int32_t n) { return n == 1; });
}

TensorAliases::TensorAliases(const Graph& graph) : can_move_(graph.tensors.size(), false) {
  for (TensorId id = 0; id < graph.tensors.size(); ++id) parents_.push_back({id, 0});
  for (const Node& node : graph.nodes) {
    for (const TensorId id : node.outputs) can_move_[id] = true;
  }
  for (const Node& node : graph.nodes) {
    const bool is_same = node.op == OpType::kReshape ||
                         (node.op == OpType::kStridedSlice && TakesEverything(graph, node));
    if (is_same) parents_[node.outputs[0]] = {node.inputs[0], 0};
    if (node.op == OpType::kConcatenation && IsTailConcatenation(graph, node)) {
      JoinParts(graph, node);
    }
  }
}

TensorAliases::Place TensorAliases::Find(TensorId tensor) const {
  std::size_t offset = 0;
  while (parents_[tensor].root != tensor) {
    offset += parents_[tensor].offset;
    tensor = parents_[tensor].root;
  }
  return {tensor, offset};
}

// An operand that is already a piece of something (it stands twice, or in two concatenations) has
// to be copied, as has a graph input: sessions show inputs as buffers of their own.
void TensorAliases::JoinParts(const Graph& graph, const Node& node) {
  std::size_t offset = 0;
  for (const TensorId part : node.inputs) {
    const Place place = Find(part);
    const std::size_t bytes = ElementCount(graph.tensors[part].shape) * sizeof(float);
    const bool is_whole =
        place.offset == 0 && ElementCount(graph.tensors[place.root].shape) * sizeof(float) == bytes;
    if (is_whole && can_move_[place.root]) {
      parents_[place.root] = {node.outputs[0], offset};
    }
    offset += bytes;
  }
}

}  // namespace holostat::engine
