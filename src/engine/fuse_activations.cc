#include <algorithm>
#include <limits>
#include <vector>

#include "engine/passes.h"

namespace holostat::engine {
namespace {

constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

// Where a node keeps the range of its result, or nullptr if it cannot clamp.
OutputRange* RangeOf(Node& node) {
  if (auto* conv = std::get_if<ConvAttributes>(&node.attributes)) return &conv->range;
  if (auto* elementwise = std::get_if<ElementwiseAttributes>(&node.attributes)) {
    return &elementwise->range;
  }
  return nullptr;
}

// The two limits one after the other, which is one limit: what lies outside goes to the nearer end.
OutputRange Clamped(const OutputRange& inner, const OutputRange& outer) {
  return {std::clamp(inner.min, outer.min, outer.max), std::clamp(inner.max, outer.min, outer.max)};
}

// Who reads and writes each tensor.
struct Uses {
  std::vector<std::size_t> writer, readers;

  explicit Uses(const Graph& graph)
      : writer(graph.tensors.size(), kNoNode), readers(graph.tensors.size(), 0) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const TensorId id : graph.nodes[i].inputs) {
        if (id != kNoTensor) ++readers[id];
      }
      for (const TensorId id : graph.nodes[i].outputs) writer[id] = i;
    }
    for (const TensorId id : graph.outputs) {
      if (id != kNoTensor) ++readers[id];
    }
  }
};

}  // namespace

void FuseActivations(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.op != OpType::kRelu) continue;
    node.op = OpType::kClamp;
    node.attributes = ElementwiseAttributes{{.min = 0}};
  }

  Uses uses(graph);
  std::vector<bool> is_fused(graph.nodes.size(), false);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& clamp = graph.nodes[i];
    if (clamp.op != OpType::kClamp) continue;
    const TensorId between = clamp.inputs[0];
    if (uses.writer[between] == kNoNode || uses.readers[between] != 1) continue;
    Node& producer = graph.nodes[uses.writer[between]];
    OutputRange* range = RangeOf(producer);
    if (range == nullptr) continue;
    *range = Clamped(*range, *RangeOf(clamp));
    producer.outputs = clamp.outputs;
    uses.writer[clamp.outputs[0]] = uses.writer[between];
    is_fused[i] = true;
  }

  std::vector<Node> kept;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!is_fused[i]) kept.push_back(std::move(graph.nodes[i]));
  }
  graph.nodes = std::move(kept);
}

}  // namespace holostat::engine
