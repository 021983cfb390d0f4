#include "engine/shape_inference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "engine/corrupt.h"

namespace holostat::engine {
namespace {

const Shape& InputShape(const Graph& graph, const Node& node, std::size_t index) {
  return graph.tensors[node.inputs[index]].shape;
}

const Shape& DeclaredShape(const Graph& graph, const Node& node) {
  return graph.tensors[node.outputs[0]].shape;
}

bool HasInput(const Node& node, std::size_t index) {
  return index < node.inputs.size() && node.inputs[index] != kNoTensor;
}

// An NHWC picture of batch 1.
Result<Shape> PictureInput(const Graph& graph, const Node& node) {
  const Shape& shape = InputShape(graph, node, 0);
  if (shape.size() != 4 || shape[0] != 1) {
    return Corrupt(fmt::format("input {} is not [1, height, width, channels]", shape));
  }
  return shape;
}

// Far beyond any use, and small enough that paddings stay in 32 bits.
constexpr std::int64_t kMaxWindow = 4096;

// One spatial dimension of a convolution or pooling.
Result<std::int32_t> WindowOutput(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                                  std::int64_t dilation, Padding padding) {
  const auto is_sane = [](std::int64_t value) { return value >= 1 && value <= kMaxWindow; };
  if (!is_sane(kernel) || !is_sane(stride) || !is_sane(dilation)) {
    return Corrupt(fmt::format("kernel {}, stride {}, dilation {}", kernel, stride, dilation));
  }
  if (padding == Padding::kSame) return static_cast<std::int32_t>((input + stride - 1) / stride);
  const std::int64_t reach = (kernel - 1) * dilation + 1;
  if (reach > input) return Corrupt(fmt::format("a window of {} over {} values", reach, input));
  return static_cast<std::int32_t>((input - reach) / stride + 1);
}

Result<Shape> InferWindow(const Shape& input, const ConvAttributes& conv, std::int32_t kernel_h,
                          std::int32_t kernel_w, std::int32_t channels) {
  const auto height =
      HOLO_TRY(WindowOutput(input[1], kernel_h, conv.stride_h, conv.dilation_h, conv.padding));
  const auto width =
      HOLO_TRY(WindowOutput(input[2], kernel_w, conv.stride_w, conv.dilation_w, conv.padding));
  return Shape{1, height, width, channels};
}

Result<void> CheckBias(const Graph& graph, const Node& node, std::int32_t channels) {
  if (!HasInput(node, 2)) return {};
  const Shape& bias = InputShape(graph, node, 2);
  if (bias != Shape{channels}) {
    return Corrupt(fmt::format("a bias of shape {} for {} channels", bias, channels));
  }
  return {};
}

Result<Shape> InferConv2D(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  const Shape& filter = InputShape(graph, node, 1);  // OHWI
  if (filter.size() != 4 || filter[3] != input[3]) {
    return Corrupt(fmt::format("a filter {} over input {}", filter, input));
  }
  HOLO_TRY(CheckBias(graph, node, filter[0]));
  return InferWindow(input, std::get<ConvAttributes>(node.attributes), filter[1], filter[2],
                     filter[0]);
}

Result<Shape> InferDepthwiseConv2D(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  const Shape& filter = InputShape(graph, node, 1);  // 1HWC
  if (filter.size() != 4 || filter[0] != 1 || filter[3] % input[3] != 0) {
    return Corrupt(fmt::format("a depthwise filter {} over input {}", filter, input));
  }
  if (filter[3] != input[3]) {
    return Fail(ErrorCode::kUnsupported, "a depth multiplier other than 1");
  }
  HOLO_TRY(CheckBias(graph, node, filter[3]));
  return InferWindow(input, std::get<ConvAttributes>(node.attributes), filter[1], filter[2],
                     filter[3]);
}

Result<Shape> InferMaxPool2D(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  const auto& pool = std::get<ConvAttributes>(node.attributes);
  if (pool.kernel_h == 1 && pool.kernel_w == 1) {
    return Fail(ErrorCode::kUnsupported, "pooling of single values");  // XNNPACK refuses it
  }
  return InferWindow(input, pool, pool.kernel_h, pool.kernel_w, input[3]);
}

Result<Shape> InferFullyConnected(const Graph& graph, const Node& node) {
  const Shape& input = InputShape(graph, node, 0);
  const Shape& weights = InputShape(graph, node, 1);  // [outputs, inputs]
  if (weights.size() != 2 || ElementCount(input) != static_cast<std::size_t>(weights[1])) {
    return Corrupt(fmt::format("weights {} over input {}", weights, input));
  }
  HOLO_TRY(CheckBias(graph, node, weights[0]));
  return Shape{1, weights[0]};
}

// The broadcasting of NumPy: shapes are aligned at their ends, and a 1 stretches.
Result<Shape> InferBroadcast(const Graph& graph, const Node& node) {
  const Shape& a = InputShape(graph, node, 0);
  const Shape& b = InputShape(graph, node, 1);
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int32_t& size = result[lead + i];
    if (size != shorter[i] && size != 1 && shorter[i] != 1) {
      return Corrupt(fmt::format("shapes {} and {} do not go together", a, b));
    }
    size = std::max(size, shorter[i]);
  }
  return result;
}

Result<Shape> InferPrelu(const Graph& graph, const Node& node) {
  const Shape& input = InputShape(graph, node, 0);
  const Shape& slope = InputShape(graph, node, 1);
  if (slope.empty() || input.empty() || slope.back() != input.back() ||
      ElementCount(slope) != static_cast<std::size_t>(input.back())) {
    return Corrupt(fmt::format("slopes {} for input {}", slope, input));
  }
  return input;
}

Result<Shape> InferConcatenation(const Graph& graph, const Node& node) {
  Shape result = InputShape(graph, node, 0);
  const std::int32_t axis = std::get<ConcatAttributes>(node.attributes).axis;
  if (axis < 0 || static_cast<std::size_t>(axis) >= result.size()) {
    return Corrupt(fmt::format("axis {} of input {}", axis, result));
  }
  std::int64_t joined = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Shape part = InputShape(graph, node, i);
    if (part.size() != result.size()) return Corrupt("inputs differ in rank");
    joined += part[static_cast<std::size_t>(axis)];
    part[static_cast<std::size_t>(axis)] = result[static_cast<std::size_t>(axis)];
    if (part != result) return Corrupt("inputs differ off the axis");
  }
  // The sum fits once it equals the declared size, which the caller checks.
  const Shape& declared = DeclaredShape(graph, node);
  if (declared.size() != result.size() || declared[static_cast<std::size_t>(axis)] != joined) {
    return Corrupt(fmt::format("inputs of {} in all for an output {}", joined, declared));
  }
  result[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(joined);
  return result;
}

Result<Shape> InferDepthToSpace(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  const std::int64_t block = std::get<DepthToSpaceAttributes>(node.attributes).block;
  if (block < 2 || block > input[3] || input[3] % (block * block) != 0) {
    return Corrupt(fmt::format("blocks of {} from input {}", block, input));
  }
  const auto side = static_cast<std::int32_t>(block);
  return Shape{1, input[1] * side, input[2] * side, input[3] / (side * side)};
}

Result<Shape> InferPad(const Graph& graph, const Node& node) {
  const auto& pad = std::get<PadAttributes>(node.attributes);
  Shape shape = InputShape(graph, node, 0);
  if (pad.before.size() != shape.size() || pad.after.size() != shape.size()) {
    return Corrupt("not one padding a dimension");
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t size = std::int64_t{shape[i]} + pad.before[i] + pad.after[i];
    if (pad.before[i] < 0 || pad.after[i] < 0 || size > std::numeric_limits<std::int32_t>::max()) {
      return Corrupt(fmt::format("padding of {} and {}", pad.before[i], pad.after[i]));
    }
    shape[i] = static_cast<std::int32_t>(size);
  }
  return shape;
}

Result<Shape> InferReshape(const Graph& graph, const Node& node) {
  const Shape& from = InputShape(graph, node, 0);
  const Shape& to = DeclaredShape(graph, node);
  if (ElementCount(from) != ElementCount(to)) {
    return Corrupt(fmt::format("{} cannot become {}", from, to));
  }
  return to;
}

Result<Shape> InferResizeBilinear(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  const Shape& output = DeclaredShape(graph, node);
  if (output.size() != 4) return Corrupt("the output is not a picture");
  return Shape{1, output[1], output[2], input[3]};
}

// Over height and width only; the declared rank tells whether those two stay as 1.
Result<Shape> InferMean(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  return DeclaredShape(graph, node).size() == 4 ? Shape{1, 1, 1, input[3]} : Shape{1, input[3]};
}

Result<Shape> InferStridedSlice(const Graph& graph, const Node& node) {
  const auto& slice = std::get<SliceAttributes>(node.attributes);
  const Shape& input = InputShape(graph, node, 0);
  if (slice.begin.size() != input.size() || slice.size.size() != input.size()) {
    return Corrupt("not one range a dimension");
  }
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::int64_t end = std::int64_t{slice.begin[i]} + slice.size[i];
    if (slice.begin[i] < 0 || slice.size[i] < 1 || end > input[i]) {
      return Corrupt(fmt::format("range {} to {} of input {}", slice.begin[i], end, input));
    }
  }
  return slice.size;
}

constexpr std::int32_t kMaxCropSize = 4096;

bool IsMatrix(const Shape& shape) { return shape == Shape{1, 4, 4}; }

Result<Shape> InferLandmarksToMatrix(const Graph& graph, const Node& node) {
  const auto& options = std::get<LandmarksToMatrixAttributes>(node.attributes);
  const Shape& landmarks = InputShape(graph, node, 0);
  if (landmarks.size() != 3 || landmarks[0] != 1 || landmarks[2] < 2) {
    return Corrupt(fmt::format("landmarks of shape {}", landmarks));
  }
  const auto is_landmark = [&](std::int32_t i) { return i >= 0 && i < landmarks[1]; };
  if (!is_landmark(options.left_rotation_index) || !is_landmark(options.right_rotation_index) ||
      options.subset.empty() || !std::ranges::all_of(options.subset, is_landmark)) {
    return Corrupt("a landmark index is out of range");
  }
  if (options.output_height < 1 || options.output_height > kMaxCropSize ||
      options.output_width < 1 || options.output_width > kMaxCropSize) {
    return Corrupt(fmt::format("a crop of {}x{}", options.output_width, options.output_height));
  }
  return Shape{1, 4, 4};
}

Result<Shape> InferTransformTensorBilinear(const Graph& graph, const Node& node) {
  const Shape input = HOLO_TRY(PictureInput(graph, node));
  const auto& options = std::get<TransformBilinearAttributes>(node.attributes);
  if (!IsMatrix(InputShape(graph, node, 1))) return Corrupt("the matrix is not [1, 4, 4]");
  return Shape{1, options.output_height, options.output_width, input[3]};
}

Result<Shape> InferTransformLandmarks(const Graph& graph, const Node& node) {
  const Shape& landmarks = InputShape(graph, node, 0);
  if (!IsMatrix(InputShape(graph, node, 1))) return Corrupt("the matrix is not [1, 4, 4]");
  if (landmarks.size() != 3 || landmarks[0] != 1 || landmarks[2] < 2 || landmarks[2] > 3) {
    return Corrupt(fmt::format("landmarks of shape {}", landmarks));
  }
  return landmarks;
}

std::size_t Area(std::int32_t height, std::int32_t width) {
  return static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
}

}  // namespace

std::size_t PixelReads(const Graph& graph, const Node& node) {
  const auto pixels = [&] {
    const Shape& output = DeclaredShape(graph, node);
    return Area(output[1], output[2]);
  };
  switch (node.op) {
    case OpType::kConv2D:
    case OpType::kDepthwiseConv2D: {
      const Shape& filter = InputShape(graph, node, 1);
      return pixels() * Area(filter[1], filter[2]);
    }
    case OpType::kMaxPool2D: {
      const auto& pool = std::get<ConvAttributes>(node.attributes);
      return pixels() * Area(pool.kernel_h, pool.kernel_w);
    }
    case OpType::kResizeBilinear:
      return pixels() * 4;
    default:
      return 0;
  }
}

Result<Shape> InferOutputShape(const Graph& graph, const Node& node) {
  switch (node.op) {
    case OpType::kAdd:
    case OpType::kMul:
      return InferBroadcast(graph, node);
    case OpType::kClamp:
    case OpType::kDensify:
    case OpType::kDequantize:
    case OpType::kLogistic:
    case OpType::kRelu:
      return InputShape(graph, node, 0);
    case OpType::kConcatenation:
      return InferConcatenation(graph, node);
    case OpType::kConv2D:
      return InferConv2D(graph, node);
    case OpType::kDepthToSpace:
      return InferDepthToSpace(graph, node);
    case OpType::kDepthwiseConv2D:
      return InferDepthwiseConv2D(graph, node);
    case OpType::kFullyConnected:
      return InferFullyConnected(graph, node);
    case OpType::kLandmarksToTransformMatrix:
      return InferLandmarksToMatrix(graph, node);
    case OpType::kMaxPool2D:
      return InferMaxPool2D(graph, node);
    case OpType::kMean:
      return InferMean(graph, node);
    case OpType::kPad:
      return InferPad(graph, node);
    case OpType::kPrelu:
      return InferPrelu(graph, node);
    case OpType::kReshape:
      return InferReshape(graph, node);
    case OpType::kResizeBilinear:
      return InferResizeBilinear(graph, node);
    case OpType::kStridedSlice:
      return InferStridedSlice(graph, node);
    case OpType::kTransformLandmarks:
      return InferTransformLandmarks(graph, node);
    case OpType::kTransformTensorBilinear:
      return InferTransformTensorBilinear(graph, node);
  }
  return Fail(ErrorCode::kInternal, "an operator without shape inference");
}

}  // namespace holostat::engine
