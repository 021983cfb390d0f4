#include "engine/operator_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "engine/corrupt.h"
#include "engine/custom_options.h"
#include "engine/tflite_file.h"

namespace holostat::engine {
namespace {

tl::unexpected<Error> Unsupported(std::string message) {
  return Fail(ErrorCode::kUnsupported, std::move(message));
}

template <class Table>
Result<const Table*> Options(const OperatorSource& source) {
  const Table* options = source.table.builtin_options_as<Table>();
  if (options == nullptr) return Corrupt("options are missing or of another operator");
  return options;
}

Result<Padding> ReadPadding(tflite::Padding padding) {
  switch (padding) {
    case tflite::Padding::SAME:
      return Padding::kSame;
    case tflite::Padding::VALID:
      return Padding::kValid;
  }
  return Corrupt(fmt::format("padding {}", static_cast<int>(padding)));
}

Result<OutputRange> ReadActivation(tflite::Activation activation) {
  switch (activation) {
    case tflite::Activation::NONE:
      return OutputRange{};
    case tflite::Activation::RELU:
      return OutputRange{.min = 0};
    case tflite::Activation::RELU6:
      return OutputRange{.min = 0, .max = 6};
  }
  return Unsupported(fmt::format("fused activation {}", static_cast<int>(activation)));
}

template <class Table>
Result<Attributes> ReadElementwise(const OperatorSource& source) {
  const Table* options = HOLO_TRY(Options<Table>(source));
  return ElementwiseAttributes{HOLO_TRY(ReadActivation(options->activation()))};
}

// What both kinds of convolution have in common.
template <class Table>
Result<Attributes> ReadConvolution(const OperatorSource& source) {
  const Table* options = HOLO_TRY(Options<Table>(source));
  ConvAttributes conv;
  conv.padding = HOLO_TRY(ReadPadding(options->padding()));
  conv.stride_h = options->stride_h();
  conv.stride_w = options->stride_w();
  conv.dilation_h = options->dilation_h();
  conv.dilation_w = options->dilation_w();
  conv.range = HOLO_TRY(ReadActivation(options->activation()));
  return conv;
}

Result<std::vector<std::int32_t>> IntOperand(const OperatorSource& source, std::size_t index) {
  const Tensor& tensor = source.graph.tensors[source.operands[index]];
  if (tensor.type != DataType::kInt32 || !tensor.is_constant() || tensor.sparse) {
    return Corrupt(fmt::format("operand {} is not an int32 constant", index));
  }
  constexpr std::size_t kMaxCount = 2 * kMaxRank;  // paddings: a pair a dimension
  const std::size_t count = tensor.data.size() / sizeof(std::int32_t);
  if (count > kMaxCount) return Corrupt(fmt::format("operand {} has {} values", index, count));
  std::vector<std::int32_t> values(count);
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

const Shape& InputShape(const OperatorSource& source) {
  return source.graph.tensors[source.operands[0]].shape;
}

const Shape& OutputShape(const OperatorSource& source) {
  return source.graph.tensors[source.output].shape;
}

// A bound of a slice along a dimension of `size` values: negative counts from the end, and beyond
// an end means that end. The format says so; begin and end of stride 1 alike.
std::int32_t ClampBound(std::int32_t bound, std::int32_t size) {
  return std::clamp(bound < 0 ? bound + size : bound, 0, size);
}

bool HasBit(std::int32_t mask, std::size_t bit) {
  return (static_cast<std::uint32_t>(mask) >> bit & 1U) != 0;
}

}  // namespace

Result<Attributes> ReadNothing(const OperatorSource&) { return std::monostate{}; }

Result<Attributes> ReadAdd(const OperatorSource& source) {
  return ReadElementwise<tflite::AddOptions>(source);
}

Result<Attributes> ReadMul(const OperatorSource& source) {
  return ReadElementwise<tflite::MulOptions>(source);
}

Result<Attributes> ReadRelu6(const OperatorSource&) {
  return ElementwiseAttributes{{.min = 0, .max = 6}};
}

Result<Attributes> ReadFullyConnected(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::FullyConnectedOptions>(source));
  if (options->weights_format() != 0) return Unsupported("shuffled weights");
  return ReadElementwise<tflite::FullyConnectedOptions>(source);
}

Result<Attributes> ReadConv2D(const OperatorSource& source) {
  return ReadConvolution<tflite::Conv2DOptions>(source);
}

Result<Attributes> ReadDepthwiseConv2D(const OperatorSource& source) {
  return ReadConvolution<tflite::DepthwiseConv2DOptions>(source);
}

Result<Attributes> ReadMaxPool2D(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::Pool2DOptions>(source));
  ConvAttributes pool;
  pool.padding = HOLO_TRY(ReadPadding(options->padding()));
  pool.stride_h = options->stride_h();
  pool.stride_w = options->stride_w();
  pool.kernel_h = options->filter_h();
  pool.kernel_w = options->filter_w();
  pool.range = HOLO_TRY(ReadActivation(options->activation()));
  return pool;
}

Result<Attributes> ReadConcatenation(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::ConcatenationOptions>(source));
  if (options->activation() != tflite::Activation::NONE) {
    return Unsupported("an activation fused into a concatenation");
  }
  const auto rank = static_cast<std::int32_t>(InputShape(source).size());
  return ConcatAttributes{options->axis() < 0 ? options->axis() + rank : options->axis()};
}

Result<Attributes> ReadDepthToSpace(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::DepthToSpaceOptions>(source));
  return DepthToSpaceAttributes{options->block_size()};
}

Result<Attributes> ReadMean(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::ReducerOptions>(source));
  auto axes = HOLO_TRY(IntOperand(source, 1));
  const auto rank = static_cast<std::int32_t>(InputShape(source).size());
  for (std::int32_t& axis : axes) axis += axis < 0 ? rank : 0;
  std::ranges::sort(axes);
  if (rank != 4 || axes != std::vector<std::int32_t>{1, 2}) {
    return Unsupported(fmt::format("a mean over axes {} of a rank {}", axes, rank));
  }
  const std::size_t output_rank = options->keep_dims() ? 4 : 2;
  if (OutputShape(source).size() != output_rank) return Corrupt("the output has another rank");
  return std::monostate{};
}

Result<Attributes> ReadPad(const OperatorSource& source) {
  const auto pairs = HOLO_TRY(IntOperand(source, 1));
  if (pairs.size() != 2 * InputShape(source).size()) return Corrupt("not two paddings a dimension");
  PadAttributes pad;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    pad.before.push_back(pairs[i]);
    pad.after.push_back(pairs[i + 1]);
  }
  return pad;
}

// The target shape may also stand in the options, but the output always declares it.
Result<Attributes> ReadReshape(const OperatorSource& source) {
  if (source.operands.size() < 2) return std::monostate{};
  const auto target = HOLO_TRY(IntOperand(source, 1));
  const Shape& shape = OutputShape(source);
  const auto agrees = [](std::int32_t wanted, std::int32_t declared) {
    return wanted == declared || wanted == -1;  // -1: whatever is left
  };
  if (!std::ranges::equal(target, shape, agrees)) {
    return Corrupt(fmt::format("target {} for an output {}", target, shape));
  }
  return std::monostate{};
}

Result<Attributes> ReadResizeBilinear(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::ResizeBilinearOptions>(source));
  if (options->align_corners() || !options->half_pixel_centers()) {
    return Unsupported("a resize other than with half pixel centres");
  }
  const auto size = HOLO_TRY(IntOperand(source, 1));
  const Shape& shape = OutputShape(source);
  if (size.size() != 2 || shape.size() != 4 || size[0] != shape[1] || size[1] != shape[2]) {
    return Corrupt(fmt::format("a size of {} for an output {}", size, shape));
  }
  return std::monostate{};
}

Result<Attributes> ReadStridedSlice(const OperatorSource& source) {
  const auto* options = HOLO_TRY(Options<tflite::StridedSliceOptions>(source));
  if (options->ellipsis_mask() != 0 || options->new_axis_mask() != 0 ||
      options->shrink_axis_mask() != 0) {
    return Unsupported("a slice that changes the rank");
  }
  const auto begin = HOLO_TRY(IntOperand(source, 1));
  const auto end = HOLO_TRY(IntOperand(source, 2));
  const auto strides = HOLO_TRY(IntOperand(source, 3));
  const Shape& input = InputShape(source);
  if (begin.size() != input.size() || end.size() != input.size() ||
      strides.size() != input.size()) {
    return Corrupt("not one range a dimension");
  }
  SliceAttributes slice;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (strides[i] != 1) return Unsupported(fmt::format("a slice with stride {}", strides[i]));
    const std::int32_t from = HasBit(options->begin_mask(), i) ? 0 : ClampBound(begin[i], input[i]);
    const std::int32_t to =
        HasBit(options->end_mask(), i) ? input[i] : ClampBound(end[i], input[i]);
    slice.begin.push_back(from);
    slice.size.push_back(to - from);
  }
  return slice;
}

Result<Attributes> ReadLandmarksToMatrix(const OperatorSource& source) {
  return HOLO_TRY(ReadLandmarksToMatrixOptions(Numbers(source.table.custom_options())));
}

Result<Attributes> ReadTransformBilinear(const OperatorSource& source) {
  return HOLO_TRY(ReadTransformBilinearOptions(Numbers(source.table.custom_options())));
}

}  // namespace holostat::engine
