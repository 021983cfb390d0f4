#pragma once

#include <xnnpack.h>

#include <cstdint>
#include <span>

#include "engine/graph.h"

namespace holostat::engine {

// Adds one node to an XNNPACK subgraph. `values` has the XNNPACK value of each of the node's
// tensors, XNN_INVALID_VALUE_ID for an absent bias.
xnn_status DefineNode(xnn_subgraph_t subgraph, const Graph& graph, const Node& node,
                      std::span<const std::uint32_t> values);

}  // namespace holostat::engine
