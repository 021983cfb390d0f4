#include "engine/reference_interpreter.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <variant>

#include "base/check.h"
#include "engine/reference_operators.h"

namespace holostat::engine {
namespace {

using namespace reference;

float HalfToFloat(std::uint16_t half) {
  const int exponent = (half >> 10) & 0x1f;
  const int fraction = half & 0x3ff;
  float magnitude;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

class Interpreter {
 public:
  Interpreter(const Graph& graph, std::span<const Values> inputs)
      : graph_(graph), values_(graph.tensors.size()), uses_(graph.tensors.size(), 0) {
    HOLO_CHECK(inputs.size() == graph.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HOLO_CHECK(inputs[i].size() == Count(graph.tensors.at(graph.inputs[i]).shape));
      values_[graph.inputs[i]] = inputs[i];
    }
    for (const Node& node : graph.nodes) {
      for (const TensorId id : node.inputs) {
        if (id != kNoTensor) ++uses_.at(id);
      }
    }
    for (const TensorId id : graph.outputs) {
      if (id != kNoTensor) ++uses_.at(id);
    }
  }

  std::vector<Values> Run() {
    for (const Node& node : graph_.nodes) {
      HOLO_CHECK(node.outputs.size() == 1);
      const TensorId result = node.outputs[0];
      Load(node);
      values_.at(result) = Evaluate(node);
      HOLO_CHECK(values_[result].size() == Count(ResultShape(node)));
      Release(node);
    }
    std::vector<Values> results;
    for (const TensorId id : graph_.outputs) {
      results.push_back(id == kNoTensor ? Values() : values_[id]);
    }
    return results;
  }

 private:
  const Tensor& InputTensor(const Node& node, std::size_t i) const {
    return graph_.tensors.at(node.inputs.at(i));
  }
  const Shape& ResultShape(const Node& node) const { return graph_.tensors[node.outputs[0]].shape; }
  Operand Input(const Node& node, std::size_t i) const {
    const TensorId id = node.inputs.at(i);
    return {graph_.tensors.at(id).shape, values_[id]};
  }
  const Values* OptionalInput(const Node& node, std::size_t i) const {
    if (i >= node.inputs.size() || node.inputs[i] == kNoTensor) return nullptr;
    return &values_[node.inputs[i]];
  }

  // Constants are expanded when first needed and freed like every other value after the last use.
  void Load(const Node& node) {
    for (const TensorId id : node.inputs) {
      if (id == kNoTensor || !graph_.tensors.at(id).is_constant()) continue;
      if (values_[id].empty()) values_[id] = ConstantValues(graph_.tensors[id]);
    }
  }
  void Release(const Node& node) {
    for (const TensorId id : node.inputs) {
      if (id != kNoTensor && --uses_[id] == 0) values_[id] = Values();
    }
  }

  static OutputRange RangeOf(const Node& node) {
    return std::get<ElementwiseAttributes>(node.attributes).range;
  }

  Values Evaluate(const Node& node) const {
    const Shape& shape = ResultShape(node);
    const auto conv = [&]() -> const ConvAttributes& {
      return std::get<ConvAttributes>(node.attributes);
    };
    switch (node.op) {
      case OpType::kAdd:
        return Add(Input(node, 0), Input(node, 1), shape, RangeOf(node));
      case OpType::kMul:
        return Multiply(Input(node, 0), Input(node, 1), shape, RangeOf(node));
      case OpType::kClamp:
        return ClampAll(Input(node, 0).values, RangeOf(node));
      case OpType::kRelu:
        return ClampAll(Input(node, 0).values, {.min = 0});
      case OpType::kConcatenation:
        return EvaluateConcatenation(node);
      case OpType::kConv2D:
        return Conv2D(Input(node, 0), Input(node, 1), OptionalInput(node, 2), conv(), shape);
      case OpType::kDepthwiseConv2D:
        return DepthwiseConv2D(Input(node, 0), Input(node, 1), OptionalInput(node, 2), conv(),
                               shape);
      case OpType::kMaxPool2D:
        return MaxPool2D(Input(node, 0), conv(), shape);
      case OpType::kFullyConnected:
        return FullyConnected(Input(node, 0), Input(node, 1), OptionalInput(node, 2),
                              RangeOf(node));
      case OpType::kDensify:
        return Densify(InputTensor(node, 0), Input(node, 0).values);
      case OpType::kDequantize:  // values are float32 already
      case OpType::kReshape:
        return Input(node, 0).values;
      case OpType::kDepthToSpace:
        return DepthToSpace(Input(node, 0), std::get<DepthToSpaceAttributes>(node.attributes).block,
                            shape);
      case OpType::kLogistic:
        return Logistic(Input(node, 0).values);
      case OpType::kMean:
        return Mean(Input(node, 0));
      case OpType::kPad:
        return Pad(Input(node, 0), std::get<PadAttributes>(node.attributes), shape);
      case OpType::kPrelu:
        return Prelu(Input(node, 0), Input(node, 1));
      case OpType::kResizeBilinear:
        return ResizeBilinear(Input(node, 0), shape);
      case OpType::kStridedSlice:
        return Slice(Input(node, 0), std::get<SliceAttributes>(node.attributes), shape);
      case OpType::kLandmarksToTransformMatrix:
        return LandmarksToMatrix(Input(node, 0),
                                 std::get<LandmarksToMatrixAttributes>(node.attributes));
      case OpType::kTransformTensorBilinear:
        return EvaluateTransformBilinear(node);
      case OpType::kTransformLandmarks:
        return TransformLandmarks(Input(node, 0), Input(node, 1));
    }
    HOLO_CHECK(false);
    return {};
  }

  Values EvaluateConcatenation(const Node& node) const {
    std::vector<Operand> parts;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) parts.push_back(Input(node, i));
    const auto axis = std::get<ConcatAttributes>(node.attributes).axis;
    HOLO_CHECK(axis >= 0);
    return Concatenate(parts, static_cast<std::size_t>(axis), ResultShape(node));
  }

  Values EvaluateTransformBilinear(const Node& node) const {
    const Shape& shape = ResultShape(node);
    const auto& attributes = std::get<TransformBilinearAttributes>(node.attributes);
    HOLO_CHECK(shape.at(1) == attributes.output_height && shape.at(2) == attributes.output_width);
    return TransformTensorBilinear(Input(node, 0), Input(node, 1), shape);
  }

  const Graph& graph_;
  std::vector<Values> values_;
  std::vector<int> uses_;
};

}  // namespace

Values ConstantValues(const Tensor& tensor) {
  const auto convert = [&]<class T>(T, auto to_float) {
    HOLO_CHECK(tensor.data.size() % sizeof(T) == 0);
    Values values(tensor.data.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
      T element;  // the file promises no alignment
      std::memcpy(&element, tensor.data.data() + i * sizeof(T), sizeof(T));
      values[i] = to_float(element);
    }
    HOLO_CHECK(tensor.sparse != nullptr || values.size() == Count(tensor.shape));
    return values;
  };
  switch (tensor.type) {
    case DataType::kFloat32:
      return convert(float{}, [](float v) { return v; });
    case DataType::kFloat16:
      return convert(std::uint16_t{}, HalfToFloat);
    case DataType::kInt32:
      return convert(std::int32_t{}, [](std::int32_t v) { return static_cast<float>(v); });
  }
  HOLO_CHECK(false);
  return {};
}

std::vector<Values> RunReference(const Graph& graph, std::span<const Values> inputs) {
  return Interpreter(graph, inputs).Run();
}

}  // namespace holostat::engine
