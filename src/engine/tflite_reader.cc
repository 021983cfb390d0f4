#include "engine/tflite_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/corrupt.h"
#include "engine/operator_reader.h"
#include "engine/shape_inference.h"
#include "engine/tensor_reader.h"
#include "engine/tflite_file.h"

namespace holostat::engine {
namespace {

constexpr std::size_t kMaxNodes = 20'000;
constexpr std::size_t kMaxEnds = 64;  // inputs, or outputs
// See PixelReads: 256 MiB of pointers. pose_landmark_heavy needs 3.6 million.
constexpr std::size_t kMaxPixelReads = std::size_t{32} << 20;

// What is known of a tensor at a point of the execution order.
enum class State : std::uint8_t {
  kUndefined,
  kConstant,  // from the file, or computed from constants: DENSIFY, DEQUANTIZE
  kComputed,  // a graph input or what an operator makes of one
};

// Reads operators in order and keeps track of which tensors have a value.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::vector<Tensor> tensors) {
    graph_.tensors = std::move(tensors);
    states_.resize(graph_.tensors.size(), State::kUndefined);
    for (std::size_t id = 0; id < states_.size(); ++id) {
      if (graph_.tensors[id].is_constant()) states_[id] = State::kConstant;
    }
  }

  const Graph& graph() const { return graph_; }
  Graph Take() && { return std::move(graph_); }

  Result<void> AddInputs(std::span<const std::int32_t> ids);
  Result<void> AddNode(Node node);
  Result<void> AddOutputs(std::span<const std::int32_t> ids);

 private:
  Result<TensorId> End(std::int32_t id) const;
  Result<void> CheckOperands(const Node& node) const;
  Result<void> CheckOutput(const Node& node) const;

  Graph graph_;
  std::vector<State> states_;
  std::size_t pixel_reads_ = 0;
};

// A tensor that a caller of the model reads or writes.
Result<TensorId> GraphBuilder::End(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= graph_.tensors.size()) {
    return Corrupt(fmt::format("tensor {} does not exist", id));
  }
  if (graph_.tensors[static_cast<std::size_t>(id)].type != DataType::kFloat32) {
    return Fail(ErrorCode::kUnsupported, fmt::format("tensor {} is not of float32", id));
  }
  return static_cast<TensorId>(id);
}

Result<void> GraphBuilder::AddInputs(std::span<const std::int32_t> ids) {
  if (ids.size() > kMaxEnds) return Fail(ErrorCode::kLimitExceeded, "too many inputs");
  for (const std::int32_t id : ids) {
    const TensorId input = HOLO_TRY_CONTEXT(End(id), "input");
    if (states_[input] != State::kUndefined) {
      return Corrupt(fmt::format("input {} is a constant or stands twice", id));
    }
    states_[input] = State::kComputed;
    graph_.inputs.push_back(input);
  }
  return {};
}

Result<void> GraphBuilder::AddOutputs(std::span<const std::int32_t> ids) {
  if (ids.size() > kMaxEnds) return Fail(ErrorCode::kLimitExceeded, "too many outputs");
  for (const std::int32_t id : ids) {
    const TensorId output = HOLO_TRY_CONTEXT(End(id), "output");
    if (states_[output] != State::kComputed) {
      return Corrupt(fmt::format("output {} is not computed", id));
    }
    graph_.outputs.push_back(output);
  }
  return {};
}

Result<void> GraphBuilder::AddNode(Node node) {
  HOLO_TRY(CheckOperands(node));
  HOLO_TRY(CheckOutput(node));
  pixel_reads_ += PixelReads(graph_, node);
  if (pixel_reads_ > kMaxPixelReads) {
    return Fail(ErrorCode::kLimitExceeded, "windows too large for pictures so large");
  }
  const bool is_weight = node.op == OpType::kDensify || node.op == OpType::kDequantize;
  states_[node.outputs[0]] = is_weight ? State::kConstant : State::kComputed;
  graph_.nodes.push_back(std::move(node));
  return {};
}

bool IsWeight(const Node& node, std::size_t input) {
  switch (node.op) {
    case OpType::kConv2D:
    case OpType::kDepthwiseConv2D:
    case OpType::kFullyConnected:
    case OpType::kPrelu:
      return input > 0;
    case OpType::kDensify:
    case OpType::kDequantize:
      return true;
    default:
      return false;
  }
}

bool TakesType(const Node& node, DataType type) {
  switch (node.op) {
    case OpType::kDensify:
      return type != DataType::kInt32;
    case OpType::kDequantize:
      return type == DataType::kFloat16;
    default:
      return type == DataType::kFloat32;
  }
}

// Weights are constants and everything else is computed, but for one operand of ADD and MUL.
Result<void> GraphBuilder::CheckOperands(const Node& node) const {
  std::size_t constants_allowed = node.op == OpType::kAdd || node.op == OpType::kMul ? 1 : 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const TensorId id = node.inputs[i];
    if (id == kNoTensor) continue;
    const Tensor& tensor = graph_.tensors[id];
    if (states_[id] == State::kUndefined) return Corrupt(fmt::format("tensor {} has no value", id));
    const bool is_constant = states_[id] == State::kConstant;
    if (IsWeight(node, i) ? !is_constant : is_constant && constants_allowed-- == 0) {
      return Fail(ErrorCode::kUnsupported,
                  fmt::format("tensor {} is {}a constant", id, is_constant ? "" : "not "));
    }
    if ((node.op == OpType::kDensify) != (tensor.sparse != nullptr)) {
      return Fail(ErrorCode::kUnsupported, fmt::format("the packing of tensor {}", id));
    }
    if (!TakesType(node, tensor.type)) {
      return Fail(ErrorCode::kUnsupported, fmt::format("the type of tensor {}", id));
    }
  }
  return {};
}

Result<void> GraphBuilder::CheckOutput(const Node& node) const {
  const TensorId id = node.outputs[0];
  const Tensor& output = graph_.tensors[id];
  if (states_[id] != State::kUndefined)
    return Corrupt(fmt::format("tensor {} is written twice", id));
  const DataType type =
      node.op == OpType::kDensify ? graph_.tensors[node.inputs[0]].type : DataType::kFloat32;
  if (output.type != type) return Corrupt(fmt::format("tensor {} has the wrong type", id));
  const Shape shape = HOLO_TRY(InferOutputShape(graph_, node));
  if (shape != output.shape) {
    return Corrupt(fmt::format("the result is {}, but tensor {} is {}", shape, id, output.shape));
  }
  return {};
}

}  // namespace

Result<Graph> ReadTflite(std::span<const std::uint8_t> bytes) {
  const TfliteFile file = HOLO_TRY(OpenTflite(bytes));
  GraphBuilder builder(HOLO_TRY(ReadTensors(file)));
  HOLO_TRY(builder.AddInputs(Numbers(file.subgraph->inputs())));

  const std::size_t count = Count(file.subgraph->operators());
  if (count > kMaxNodes) {
    return Fail(ErrorCode::kLimitExceeded, fmt::format("{} operators", count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto& from = *file.subgraph->operators()->Get(static_cast<std::uint32_t>(i));
    Node node =
        HOLO_TRY_CONTEXT(ReadOperator(file, from, builder.graph()), fmt::format("operator {}", i));
    const OpType op = node.op;
    HOLO_TRY_CONTEXT(builder.AddNode(std::move(node)),
                     fmt::format("operator {}: {}", i, OpName(op)));
  }

  HOLO_TRY(builder.AddOutputs(Numbers(file.subgraph->outputs())));
  return std::move(builder).Take();
}

}  // namespace holostat::engine
