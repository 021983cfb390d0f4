#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/graph.h"
#include "engine/session.h"

// What the tests that hold Session against the reference share. For tests only.
namespace holostat::engine {

using TensorValues = std::vector<std::vector<float>>;  // one vector a tensor

// `count` numbers spread evenly over [-1, 1), the same for a seed on every machine.
std::vector<float> PseudoRandomValues(std::size_t count, std::uint32_t seed);

// Pseudo-random values for every input of the graph.
TensorValues PseudoRandomInputs(const Graph& graph, std::uint32_t seed);

// Largest difference of two results as a fraction of the largest magnitude of `expected`; infinity
// when they differ in size or where one of them is not a finite number.
double RelativeDifference(std::span<const float> actual, std::span<const float> expected);

// Writes the inputs, runs, and copies out every output (empty where it was not asked for).
Result<TensorValues> RunOnce(Session& session, const TensorValues& inputs);

}  // namespace holostat::engine
