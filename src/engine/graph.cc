#include "engine/graph.h"

namespace holostat::engine {

std::size_t ByteSize(DataType type) { return type == DataType::kFloat16 ? 2 : 4; }

std::size_t ElementCount(const Shape& shape) {
  std::size_t count = 1;
  for (const std::int32_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

const char* OpName(OpType op) {
  switch (op) {
    case OpType::kAdd:
      return "ADD";
    case OpType::kClamp:
      return "CLAMP";
    case OpType::kConcatenation:
      return "CONCATENATION";
    case OpType::kConv2D:
      return "CONV_2D";
    case OpType::kDensify:
      return "DENSIFY";
    case OpType::kDepthToSpace:
      return "DEPTH_TO_SPACE";
    case OpType::kDepthwiseConv2D:
      return "DEPTHWISE_CONV_2D";
    case OpType::kDequantize:
      return "DEQUANTIZE";
    case OpType::kFullyConnected:
      return "FULLY_CONNECTED";
    case OpType::kLandmarksToTransformMatrix:
      return "Landmarks2TransformMatrix";
    case OpType::kLogistic:
      return "LOGISTIC";
    case OpType::kMaxPool2D:
      return "MAX_POOL_2D";
    case OpType::kMean:
      return "MEAN";
    case OpType::kMul:
      return "MUL";
    case OpType::kPad:
      return "PAD";
    case OpType::kPrelu:
      return "PRELU";
    case OpType::kRelu:
      return "RELU";
    case OpType::kReshape:
      return "RESHAPE";
    case OpType::kResizeBilinear:
      return "RESIZE_BILINEAR";
    case OpType::kStridedSlice:
      return "STRIDED_SLICE";
    case OpType::kTransformLandmarks:
      return "TransformLandmarks";
    case OpType::kTransformTensorBilinear:
      return "TransformTensorBilinear";
  }
  return "unknown";
}

}  // namespace holostat::engine
