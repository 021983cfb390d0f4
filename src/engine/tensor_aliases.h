#pragma once

#include <cstddef>
#include <vector>

#include "engine/graph.h"

namespace holostat::engine {

// Which tensors can share the memory of another, so that a node need not move data: the result of
// a RESHAPE or of a slice that takes everything is its operand; an operand of a CONCATENATION along
// the outermost dimension that is not 1 is a piece of the result.
class TensorAliases {
 public:
  explicit TensorAliases(const Graph& graph);

  // The tensor that owns the memory of another (or itself), and the byte offset inside it.
  struct Place {
    TensorId root;
    std::size_t offset;
  };
  Place Find(TensorId tensor) const;

 private:
  void JoinParts(const Graph& graph, const Node& node);

  std::vector<Place> parents_;  // a root is its own parent
  std::vector<bool> can_move_;  // may become a piece of another: not placed by the caller
};

// Whether the operands of a CONCATENATION lie one after the other in its result.
bool IsTailConcatenation(const Graph& graph, const Node& node);

}  // namespace holostat::engine
