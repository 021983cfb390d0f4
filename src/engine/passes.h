#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "engine/graph.h"

namespace holostat::engine {

// Each pass leaves a valid graph that computes the same; docs/engine.md shows them at work.

// Keeps only what the chosen outputs need. `wanted` indexes graph.outputs; those not wanted become
// kNoTensor there, so that positions stay those of the model file.
Result<void> KeepOutputs(Graph& graph, std::span<const std::size_t> wanted);

// Replaces DENSIFY and DEQUANTIZE of constants by float32 constants.
Result<void> FoldConstants(Graph& graph);

// Moves RELU and RELU6 nodes into the range of the only node that feeds them; those that stay
// become kClamp.
void FuseActivations(Graph& graph);

// All of the above, in the order that works.
Result<void> Optimize(Graph& graph, std::span<const std::size_t> wanted_outputs);

}  // namespace holostat::engine
