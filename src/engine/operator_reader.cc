#include "engine/operator_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/custom_options.h"
#include "engine/operator_options.h"

namespace holostat::engine {
namespace {

using tflite::BuiltinOperator;

// How operators of the file become nodes. The first `node_inputs` operands are what the node
// computes on; any further ones are int32 constants that `read` turns into attributes.
struct Rule {
  OpType op;
  std::size_t min_operands, max_operands;
  std::size_t node_inputs;
  Result<Attributes> (*read)(const OperatorSource& source);
};

constexpr std::size_t kAnyNumber = 1'000;

Result<Rule> BuiltinRule(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::ADD:
      return Rule{OpType::kAdd, 2, 2, 2, ReadAdd};
    case BuiltinOperator::CONCATENATION:
      return Rule{OpType::kConcatenation, 1, kAnyNumber, kAnyNumber, ReadConcatenation};
    case BuiltinOperator::CONV_2D:
      return Rule{OpType::kConv2D, 2, 3, 3, ReadConv2D};
    case BuiltinOperator::DENSIFY:
      return Rule{OpType::kDensify, 1, 1, 1, ReadNothing};
    case BuiltinOperator::DEPTH_TO_SPACE:
      return Rule{OpType::kDepthToSpace, 1, 1, 1, ReadDepthToSpace};
    case BuiltinOperator::DEPTHWISE_CONV_2D:
      return Rule{OpType::kDepthwiseConv2D, 2, 3, 3, ReadDepthwiseConv2D};
    case BuiltinOperator::DEQUANTIZE:
      return Rule{OpType::kDequantize, 1, 1, 1, ReadNothing};
    case BuiltinOperator::FULLY_CONNECTED:
      return Rule{OpType::kFullyConnected, 2, 3, 3, ReadFullyConnected};
    case BuiltinOperator::LOGISTIC:
      return Rule{OpType::kLogistic, 1, 1, 1, ReadNothing};
    case BuiltinOperator::MAX_POOL_2D:
      return Rule{OpType::kMaxPool2D, 1, 1, 1, ReadMaxPool2D};
    case BuiltinOperator::MEAN:
      return Rule{OpType::kMean, 2, 2, 1, ReadMean};
    case BuiltinOperator::MUL:
      return Rule{OpType::kMul, 2, 2, 2, ReadMul};
    case BuiltinOperator::PAD:
      return Rule{OpType::kPad, 2, 2, 1, ReadPad};
    case BuiltinOperator::PRELU:
      return Rule{OpType::kPrelu, 2, 2, 2, ReadNothing};
    case BuiltinOperator::RELU:
      return Rule{OpType::kRelu, 1, 1, 1, ReadNothing};
    case BuiltinOperator::RELU6:
      return Rule{OpType::kClamp, 1, 1, 1, ReadRelu6};
    case BuiltinOperator::RESHAPE:
      return Rule{OpType::kReshape, 1, 2, 1, ReadReshape};
    case BuiltinOperator::RESIZE_BILINEAR:
      return Rule{OpType::kResizeBilinear, 2, 2, 1, ReadResizeBilinear};
    case BuiltinOperator::STRIDED_SLICE:
      return Rule{OpType::kStridedSlice, 4, 4, 1, ReadStridedSlice};
    case BuiltinOperator::CUSTOM:
      break;  // by name, below
  }
  return Fail(ErrorCode::kUnsupported, fmt::format("operator {}", static_cast<int>(code)));
}

Result<Rule> CustomRule(std::string_view name, std::int32_t version) {
  constexpr std::int32_t kKnownVersion = 2;
  if (version == kKnownVersion) {
    if (name == "Landmarks2TransformMatrix") {
      return Rule{OpType::kLandmarksToTransformMatrix, 1, 1, 1, ReadLandmarksToMatrix};
    }
    if (name == "TransformLandmarks") {
      return Rule{OpType::kTransformLandmarks, 2, 2, 2, ReadNothing};
    }
    if (name == "TransformTensorBilinear") {
      return Rule{OpType::kTransformTensorBilinear, 2, 2, 2, ReadTransformBilinear};
    }
  }
  return Fail(ErrorCode::kUnsupported,
              fmt::format("custom operator {:.40}, version {}", name, version));
}

Result<Rule> FindRule(const TfliteFile& file, const tflite::Operator& from) {
  if (from.opcode_index() >= Count(file.model->operator_codes())) {
    return Fail(ErrorCode::kCorruptData,
                fmt::format("operator code {} does not exist", from.opcode_index()));
  }
  const tflite::OperatorCode& code = *file.model->operator_codes()->Get(from.opcode_index());
  const auto builtin =
      std::max(code.builtin_code(), static_cast<BuiltinOperator>(code.deprecated_builtin_code()));
  if (builtin != BuiltinOperator::CUSTOM) return BuiltinRule(builtin);
  const std::string_view name =
      code.custom_code() == nullptr ? std::string_view() : code.custom_code()->string_view();
  return CustomRule(name, code.version());
}

// Only a bias may be absent, written as -1 or left out.
Result<std::vector<TensorId>> ReadOperands(const tflite::Operator& from, const Rule& rule,
                                           const Graph& graph) {
  const auto ids = Numbers(from.inputs());
  if (ids.size() < rule.min_operands || ids.size() > rule.max_operands) {
    return Fail(ErrorCode::kCorruptData, fmt::format("{} operands", ids.size()));
  }
  std::vector<TensorId> operands;
  operands.reserve(ids.size());
  for (const std::int32_t id : ids) {
    const bool is_absent_bias = id == -1 && rule.node_inputs == 3 && operands.size() == 2;
    if (!is_absent_bias && (id < 0 || static_cast<std::size_t>(id) >= graph.tensors.size())) {
      return Fail(ErrorCode::kCorruptData, fmt::format("input tensor {} does not exist", id));
    }
    operands.push_back(is_absent_bias ? kNoTensor : static_cast<TensorId>(id));
  }
  return operands;
}

Result<TensorId> ReadOutput(const tflite::Operator& from, const Graph& graph) {
  const auto ids = Numbers(from.outputs());
  if (ids.size() != 1 || ids[0] < 0 || static_cast<std::size_t>(ids[0]) >= graph.tensors.size()) {
    return Fail(ErrorCode::kCorruptData, "not one existing output tensor");
  }
  return static_cast<TensorId>(ids[0]);
}

}  // namespace

Result<Node> ReadOperator(const TfliteFile& file, const tflite::Operator& from,
                          const Graph& graph) {
  const Rule rule = HOLO_TRY(FindRule(file, from));
  const auto read = [&]() -> Result<Node> {
    std::vector<TensorId> operands = HOLO_TRY(ReadOperands(from, rule, graph));
    const TensorId output = HOLO_TRY(ReadOutput(from, graph));
    Attributes attributes = HOLO_TRY(rule.read({from, graph, operands, output}));
    operands.resize(rule.node_inputs == 3 ? 3 : std::min(operands.size(), rule.node_inputs),
                    kNoTensor);
    return Node{rule.op, std::move(operands), {output}, std::move(attributes)};
  };
  return HOLO_TRY_CONTEXT(read(), OpName(rule.op));
}

}  // namespace holostat::engine
