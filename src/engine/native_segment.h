#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/graph.h"
#include "engine/native_ops.h"

namespace holostat::engine {

// Native nodes that run one after the other. Keeps no reference to the graph; borrows the memory of
// the tensors.
class NativeSegment {
 public:
  // `places[id]` is where a tensor stands. REQUIRES: every operand of the nodes has one.
  NativeSegment(const Graph& graph, std::span<const std::size_t> nodes,
                std::span<float* const> places);

  void Run() const;

 private:
  // A node, the place and shape of each of its operands, and of its result.
  struct Step {
    Node node;
    std::vector<std::span<const float>> inputs;
    std::vector<Shape> input_shapes;
    std::span<float> output;
    Shape output_shape;
  };

  static void RunStep(const Step& step);
  static void Concatenate(const Step& step);

  std::vector<Step> steps_;
};

}  // namespace holostat::engine
