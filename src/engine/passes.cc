#include "engine/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace holostat::engine {

Result<void> KeepOutputs(Graph& graph, std::span<const std::size_t> wanted) {
  std::vector<TensorId> kept(graph.outputs.size(), kNoTensor);
  std::vector<bool> is_needed(graph.tensors.size(), false);
  for (const std::size_t index : wanted) {
    if (index >= graph.outputs.size() || graph.outputs[index] == kNoTensor) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("the model has no output {}", index));
    }
    kept[index] = graph.outputs[index];
    is_needed[kept[index]] = true;
  }
  graph.outputs = std::move(kept);

  // Nodes stand in execution order, so one walk from the back meets every reader of a tensor
  // before its writer.
  std::vector<Node> nodes;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const auto needed = [&](TensorId id) { return is_needed[id]; };
    if (std::ranges::none_of(node->outputs, needed)) continue;
    for (const TensorId id : node->inputs) {
      if (id != kNoTensor) is_needed[id] = true;
    }
    nodes.push_back(std::move(*node));
  }
  std::ranges::reverse(nodes);
  graph.nodes = std::move(nodes);
  return {};
}

Result<void> Optimize(Graph& graph, std::span<const std::size_t> wanted_outputs) {
  HOLO_TRY(KeepOutputs(graph, wanted_outputs));  // first: what is dropped need not be folded
  HOLO_TRY(FoldConstants(graph));
  FuseActivations(graph);
  return {};
}

}  // namespace holostat::engine
