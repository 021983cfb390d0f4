#include "engine/xnn_lowering.h"

#include <algorithm>
#include <array>

namespace holostat::engine {
namespace {

std::uint32_t U32(std::int32_t value) { return static_cast<std::uint32_t>(value); }
std::size_t Size(std::int32_t value) { return static_cast<std::size_t>(value); }

// What every Define function below works on.
struct Lowering {
  xnn_subgraph_t subgraph;
  const Graph& graph;
  const Node& node;
  std::span<const std::uint32_t> values;

  std::uint32_t input(std::size_t index) const {
    if (index >= node.inputs.size() || node.inputs[index] == kNoTensor) return XNN_INVALID_VALUE_ID;
    return values[node.inputs[index]];
  }
  std::uint32_t output() const { return values[node.outputs[0]]; }
  const Shape& input_shape(std::size_t index) const {
    return graph.tensors[node.inputs[index]].shape;
  }
  const Shape& output_shape() const { return graph.tensors[node.outputs[0]].shape; }
  template <class T>
  const T& attributes() const {
    return std::get<T>(node.attributes);
  }
};

// Padding of height (top, bottom) and width (left, right).
struct Paddings {
  std::uint32_t top = 0, bottom = 0, left = 0, right = 0;
};

// What SAME padding comes to, for us to say explicitly: under XNN_FLAG_TENSORFLOW_SAME_PADDING this
// XNNPACK computes it unsigned, which wraps around where the kernel is smaller than the stride and
// no padding is needed.
Paddings PaddingsOf(const ConvAttributes& conv, const Shape& input, const Shape& output,
                    std::int32_t kernel_h, std::int32_t kernel_w) {
  if (conv.padding == Padding::kValid) return {};
  const auto total = [](std::int32_t in, std::int32_t out, std::int32_t kernel, std::int32_t stride,
                        std::int32_t dilation) {
    const std::int64_t reach = std::int64_t{kernel - 1} * dilation + 1;
    return static_cast<std::uint32_t>(
        std::max<std::int64_t>(std::int64_t{out - 1} * stride + reach - in, 0));
  };
  const auto height = total(input[1], output[1], kernel_h, conv.stride_h, conv.dilation_h);
  const auto width = total(input[2], output[2], kernel_w, conv.stride_w, conv.dilation_w);
  // An odd one goes to the end.
  return {height / 2, height - height / 2, width / 2, width - width / 2};
}

xnn_status DefineConv2D(const Lowering& at) {
  const auto& conv = at.attributes<ConvAttributes>();
  const Shape& filter = at.input_shape(1);  // OHWI
  const Paddings pad = PaddingsOf(conv, at.input_shape(0), at.output_shape(), filter[1], filter[2]);
  return xnn_define_convolution_2d(
      at.subgraph, pad.top, pad.right, pad.bottom, pad.left, U32(filter[1]), U32(filter[2]),
      U32(conv.stride_h), U32(conv.stride_w), U32(conv.dilation_h), U32(conv.dilation_w),
      /*groups=*/1, Size(filter[3]), Size(filter[0]), conv.range.min, conv.range.max, at.input(0),
      at.input(1), at.input(2), at.output(), 0);
}

xnn_status DefineDepthwiseConv2D(const Lowering& at) {
  const auto& conv = at.attributes<ConvAttributes>();
  const Shape& filter = at.input_shape(1);  // 1HWC
  const Paddings pad = PaddingsOf(conv, at.input_shape(0), at.output_shape(), filter[1], filter[2]);
  return xnn_define_depthwise_convolution_2d(
      at.subgraph, pad.top, pad.right, pad.bottom, pad.left, U32(filter[1]), U32(filter[2]),
      U32(conv.stride_h), U32(conv.stride_w), U32(conv.dilation_h), U32(conv.dilation_w),
      /*depth_multiplier=*/1, Size(filter[3]), conv.range.min, conv.range.max, at.input(0),
      at.input(1), at.input(2), at.output(), 0);
}

xnn_status DefineMaxPool2D(const Lowering& at) {
  const auto& pool = at.attributes<ConvAttributes>();
  const Paddings pad =
      PaddingsOf(pool, at.input_shape(0), at.output_shape(), pool.kernel_h, pool.kernel_w);
  return xnn_define_max_pooling_2d(at.subgraph, pad.top, pad.right, pad.bottom, pad.left,
                                   U32(pool.kernel_h), U32(pool.kernel_w), U32(pool.stride_h),
                                   U32(pool.stride_w), 1, 1, pool.range.min, pool.range.max,
                                   at.input(0), at.output(), 0);
}

xnn_status DefineFullyConnected(const Lowering& at) {
  const OutputRange& range = at.attributes<ElementwiseAttributes>().range;
  // Without the flag XNNPACK takes only an input whose last dimension is that of the weights.
  return xnn_define_fully_connected(at.subgraph, range.min, range.max, at.input(0), at.input(1),
                                    at.input(2), at.output(), XNN_FLAG_TENSORFLOW_RESHAPE_2D);
}

xnn_status DefinePad(const Lowering& at) {
  const auto& pad = at.attributes<PadAttributes>();
  std::array<std::size_t, kMaxRank> before{}, after{};
  for (std::size_t i = 0; i < pad.before.size(); ++i) {
    before[i] = Size(pad.before[i]);
    after[i] = Size(pad.after[i]);
  }
  return xnn_define_static_constant_pad(at.subgraph, before.data(), after.data(), 0.0F, at.input(0),
                                        at.output(), 0);
}

// Without flags XNNPACK puts pixel centres at one half, the only variant the reader lets through.
xnn_status DefineResizeBilinear(const Lowering& at) {
  const Shape& shape = at.output_shape();
  return xnn_define_static_resize_bilinear_2d(at.subgraph, Size(shape[1]), Size(shape[2]),
                                              at.input(0), at.output(), 0);
}

xnn_status DefineMean(const Lowering& at) {
  const OutputRange unlimited;
  return xnn_define_global_average_pooling_2d(at.subgraph, unlimited.min, unlimited.max,
                                              at.input(0), at.output(), 0);
}

xnn_status DefineAdd(const Lowering& at) {
  const OutputRange& range = at.attributes<ElementwiseAttributes>().range;
  return xnn_define_add2(at.subgraph, range.min, range.max, at.input(0), at.input(1), at.output(),
                         0);
}

xnn_status DefineMul(const Lowering& at) {
  const OutputRange& range = at.attributes<ElementwiseAttributes>().range;
  return xnn_define_multiply2(at.subgraph, range.min, range.max, at.input(0), at.input(1),
                              at.output(), 0);
}

xnn_status DefineClamp(const Lowering& at) {
  const OutputRange& range = at.attributes<ElementwiseAttributes>().range;
  return xnn_define_clamp(at.subgraph, range.min, range.max, at.input(0), at.output(), 0);
}

xnn_status DefineDepthToSpace(const Lowering& at) {
  const std::int32_t block = at.attributes<DepthToSpaceAttributes>().block;
  return xnn_define_depth_to_space(at.subgraph, at.input(0), at.output(), U32(block), 0);
}

}  // namespace

xnn_status DefineNode(xnn_subgraph_t subgraph, const Graph& graph, const Node& node,
                      std::span<const std::uint32_t> values) {
  const Lowering at{subgraph, graph, node, values};
  switch (node.op) {
    case OpType::kAdd:
      return DefineAdd(at);
    case OpType::kClamp:
      return DefineClamp(at);
    case OpType::kConv2D:
      return DefineConv2D(at);
    case OpType::kDepthToSpace:
      return DefineDepthToSpace(at);
    case OpType::kDepthwiseConv2D:
      return DefineDepthwiseConv2D(at);
    case OpType::kFullyConnected:
      return DefineFullyConnected(at);
    case OpType::kLogistic:
      return xnn_define_sigmoid(subgraph, at.input(0), at.output(), 0);
    case OpType::kMaxPool2D:
      return DefineMaxPool2D(at);
    case OpType::kMean:
      return DefineMean(at);
    case OpType::kMul:
      return DefineMul(at);
    case OpType::kPad:
      return DefinePad(at);
    case OpType::kPrelu:
      return xnn_define_prelu(subgraph, at.input(0), at.input(1), at.output(), 0);
    case OpType::kResizeBilinear:
      return DefineResizeBilinear(at);
    default:
      return xnn_status_unsupported_parameter;
  }
}

}  // namespace holostat::engine
