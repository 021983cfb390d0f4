#include "engine/reference_exercise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <variant>
#include <vector>

#include "base/check.h"
#include "engine/passes.h"
#include "engine/reference_comparison.h"
#include "engine/reference_interpreter.h"
#include "engine/session.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

// What is executed is small enough for hundreds of runs a second.
constexpr double kMaxElements = 1 << 16;  // of all tensors
constexpr double kMaxMultiplications = 1 << 20;
constexpr std::size_t kMaxNodes = 64;

// Results are compared where no number in the whole model exceeds this, so that infinities and what
// large numbers leave behind when they cancel do not count as differences.
constexpr float kLargest = 64;
constexpr double kTolerance = 0.01;  // of the largest number in the model

void CheckError(const Error& error) {
  HOLO_CHECK(!error.message.empty());
  HOLO_CHECK(error.code == ErrorCode::kCorruptData || error.code == ErrorCode::kUnsupported ||
             error.code == ErrorCode::kLimitExceeded);
}

double ProductOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
}

// An upper bound of the multiplications, or comparisons, that a node takes.
double Cost(const Graph& graph, const Node& node) {
  const auto shape = [&](TensorId id) -> const Shape& { return graph.tensors[id].shape; };
  const double results = ProductOf(shape(node.outputs[0]));
  switch (node.op) {
    case OpType::kConv2D:
    case OpType::kFullyConnected:
      return results * ProductOf(shape(node.inputs[1])) / shape(node.inputs[1])[0];
    case OpType::kDepthwiseConv2D:
      return results * ProductOf(shape(node.inputs[1])) / shape(node.inputs[1])[3];
    case OpType::kMaxPool2D: {
      const auto& pool = std::get<ConvAttributes>(node.attributes);
      return results * pool.kernel_h * pool.kernel_w;
    }
    default:
      return results;
  }
}

bool IsSmall(const Graph& graph) {
  if (graph.nodes.size() > kMaxNodes) return false;
  double elements = 0, cost = 0;
  for (const Tensor& tensor : graph.tensors) elements += ProductOf(tensor.shape);
  for (const Node& node : graph.nodes) cost += Cost(graph, node);
  return elements <= kMaxElements && cost <= kMaxMultiplications;
}

// Of all values and constants; infinity where one of them is not a finite number.
float LargestMagnitude(Graph graph, const TensorValues& inputs) {
  graph.outputs.clear();
  for (const Node& node : graph.nodes) graph.outputs.push_back(node.outputs[0]);
  TensorValues all = RunReference(graph, inputs);
  for (const Tensor& tensor : graph.tensors) {
    if (tensor.is_constant() && tensor.type != DataType::kInt32) {
      all.push_back(ConstantValues(tensor));
    }
  }
  float largest = 0;
  for (const auto& values : all) {
    for (const float v : values) {
      if (!std::isfinite(v)) return std::numeric_limits<float>::infinity();
      largest = std::max(largest, std::abs(v));
    }
  }
  return largest;
}

// Positions in a picture, and the direction of a line of two equal points, may change at a
// rounding.
bool IsContinuous(const Graph& graph) {
  return std::ranges::none_of(graph.nodes, [](const Node& node) {
    return node.op == OpType::kTransformTensorBilinear ||
           node.op == OpType::kLandmarksToTransformMatrix;
  });
}

void CheckSame(const TensorValues& actual, const TensorValues& expected, double tolerance) {
  HOLO_CHECK(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    HOLO_CHECK(actual[i].size() == expected[i].size());
    for (std::size_t k = 0; k < actual[i].size(); ++k) {
      const double difference = std::abs(static_cast<double>(actual[i][k] - expected[i][k]));
      HOLO_CHECK(difference <= tolerance);
    }
  }
}

void Execute(std::span<const std::uint8_t> bytes, const Graph& graph) {
  const TensorValues inputs = PseudoRandomInputs(graph, 1);
  const TensorValues expected = RunReference(graph, inputs);
  const auto session = Session::Create(bytes, {});
  if (!session) return CheckError(session.error());
  const auto actual = RunOnce(**session, inputs);
  HOLO_CHECK(actual.has_value());
  const float largest = LargestMagnitude(graph, inputs);
  if (largest > kLargest || !IsContinuous(graph)) return;
  CheckSame(*actual, expected, kTolerance * std::max(1.0, static_cast<double>(largest)));
}

}  // namespace

void ExerciseModelFile(std::span<const std::uint8_t> bytes) {
  // A copy of just this size, at an address that the reader accepts.
  const std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
  auto graph = ReadTflite(file);
  if (!graph) return CheckError(graph.error());
  if (IsSmall(*graph)) Execute(file, *graph);
  std::vector<std::size_t> outputs(graph->outputs.size());
  std::iota(outputs.begin(), outputs.end(), std::size_t{0});
  const auto optimized = Optimize(*graph, outputs);
  if (!optimized) CheckError(optimized.error());
}

}  // namespace holostat::engine
