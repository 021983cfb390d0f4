#pragma once

#include <cstddef>

#include "base/result.h"
#include "engine/graph.h"

namespace holostat::engine {

// The shape of what `node` computes, from the shapes of its inputs and its attributes. Where the
// file decides the shape (RESHAPE, RESIZE_BILINEAR, MEAN) the declared shape of the output is
// checked to be a possible one and returned.
//
// REQUIRES: tensors of the node are in range and have valid shapes; the attributes are of the
// node's type. Errors: kCorruptData when operands or attributes contradict each other,
// kUnsupported for a well-formed variant that is not executed.
Result<Shape> InferOutputShape(const Graph& graph, const Node& node);

// How many input pixels a node gathers for all its output pixels together; 0 for a node that does
// not gather. XNNPACK keeps a pointer for each. REQUIRES: InferOutputShape accepts the node.
std::size_t PixelReads(const Graph& graph, const Node& node);

}  // namespace holostat::engine
