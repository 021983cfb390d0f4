#include "engine/reference_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace holostat::engine {

std::vector<float> PseudoRandomValues(std::size_t count, std::uint32_t seed) {
  // The 64-bit linear congruential generator of Knuth's MMIX; its upper bits are the good ones.
  std::uint64_t state = seed + 1;
  const auto next = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<float>(state >> 40) / static_cast<float>(1U << 23) - 1;
  };
  next();
  std::vector<float> values(count);
  std::generate(values.begin(), values.end(), next);
  return values;
}

TensorValues PseudoRandomInputs(const Graph& graph, std::uint32_t seed) {
  TensorValues inputs;
  for (const TensorId id : graph.inputs) {
    inputs.push_back(PseudoRandomValues(ElementCount(graph.tensors[id].shape), seed++));
  }
  return inputs;
}

double RelativeDifference(std::span<const float> actual, std::span<const float> expected) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (actual.size() != expected.size()) return kInfinity;
  double difference = 0, scale = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!std::isfinite(actual[i]) || !std::isfinite(expected[i])) return kInfinity;
    const auto a = static_cast<double>(actual[i]), e = static_cast<double>(expected[i]);
    difference = std::max(difference, std::abs(a - e));
    scale = std::max(scale, std::abs(e));
  }
  return difference == 0 ? 0 : difference / scale;
}

Result<TensorValues> RunOnce(Session& session, const TensorValues& inputs) {
  HOLO_CHECK(inputs.size() == session.input_count());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    HOLO_CHECK(inputs[i].size() == session.input(i).size());
    std::copy(inputs[i].begin(), inputs[i].end(), session.input(i).begin());
  }
  HOLO_TRY(session.Run());
  TensorValues outputs;
  for (std::size_t i = 0; i < session.output_count(); ++i) {
    const std::span<const float> values = session.output(i);
    outputs.emplace_back(values.begin(), values.end());
  }
  return outputs;
}

}  // namespace holostat::engine
