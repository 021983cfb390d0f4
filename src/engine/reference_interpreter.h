#pragma once

#include <span>
#include <vector>

#include "engine/graph.h"

namespace holostat::engine {

// Executes a graph with plain loops, each operator as its definition reads, to check what the
// product computes with XNNPACK. For tests only (library holostat_reference); slow on purpose.
//
// Takes graphs as ReadTflite makes them (float16 constants, DENSIFY, DEQUANTIZE) as well as after
// any of the passes. Values are kept as float32; sums are taken in double and rounded once.
// `inputs` has one entry for each of graph.inputs, of ElementCount(shape) values in NHWC order. The
// result has one entry for each of graph.outputs, empty where that is kNoTensor. Values that no
// later node needs are freed on the way.
//
// REQUIRES: a graph that keeps the promises of tflite_reader.h. A broken one, a result shape that
// is not what its operator computes, or inputs of the wrong size abort through HOLO_CHECK.
std::vector<std::vector<float>> RunReference(const Graph& graph,
                                             std::span<const std::vector<float>> inputs);

// The contents of a constant (float32, float16 or int32) as float32, in storage order: packed, when
// the constant is sparse.
std::vector<float> ConstantValues(const Tensor& tensor);

}  // namespace holostat::engine
