#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace holostat::engine {

// A model between the file and the executor: plain data, no behaviour. Layout of activations is
// NHWC, of convolution filters OHWI (depthwise: 1HWC). The batch is always 1.

enum class DataType : std::uint8_t { kFloat32 = 1, kFloat16, kInt32 };
std::size_t ByteSize(DataType type);

using Shape = std::vector<std::int32_t>;  // at most kMaxRank entries, each >= 1
inline constexpr std::size_t kMaxRank = 6;
std::size_t ElementCount(const Shape& shape);

using TensorId = std::uint32_t;
inline constexpr TensorId kNoTensor = std::numeric_limits<TensorId>::max();

// A constant stored sparsely along its last dimension (compressed sparse rows): row r has its
// values at columns indices[segments[r]] .. indices[segments[r + 1] - 1]. Rows are the product of
// the other dimensions, in order.
struct SparseRows {
  std::vector<std::uint32_t> segments;
  std::vector<std::uint32_t> indices;
};

struct Tensor {
  std::string name = {};
  DataType type = DataType::kFloat32;
  Shape shape = {};
  // Contents of a constant, else empty. Borrowed: from the model file, or from `owned`.
  std::span<const std::uint8_t> data = {};
  std::shared_ptr<const std::vector<float>> owned = {};  // set by passes that compute new constants
  std::shared_ptr<const SparseRows> sparse = {};         // how `data` is packed, when it is

  bool is_constant() const { return !data.empty(); }
};

enum class OpType : std::uint8_t {
  kAdd = 1,
  kClamp,  // RELU6, and what the passes make of RELU nodes that could not be fused
  kConcatenation,
  kConv2D,
  kDensify,
  kDepthToSpace,
  kDepthwiseConv2D,
  kDequantize,
  kFullyConnected,
  kLandmarksToTransformMatrix,
  kLogistic,
  kMaxPool2D,
  kMean,
  kMul,
  kPad,
  kPrelu,
  kRelu,
  kReshape,
  kResizeBilinear,
  kStridedSlice,
  kTransformLandmarks,
  kTransformTensorBilinear,
};
const char* OpName(OpType op);

enum class Padding : std::uint8_t { kSame = 1, kValid };

// The range a result is clamped to: RELU is [0, inf], RELU6 [0, 6], none [-inf, inf].
struct OutputRange {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
};

struct ConvAttributes {  // kConv2D, kDepthwiseConv2D (depth multiplier is always 1), kMaxPool2D
  Padding padding = Padding::kSame;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  std::int32_t kernel_h = 0, kernel_w = 0;  // of pooling; convolutions have it in the filter
  OutputRange range = {};
};
struct ElementwiseAttributes {  // kAdd, kMul, kClamp, kFullyConnected
  OutputRange range = {};
};
struct ConcatAttributes {
  std::int32_t axis = 0;  // normalised to >= 0
};
struct DepthToSpaceAttributes {
  std::int32_t block = 2;
};
struct PadAttributes {  // one entry a dimension, read from the constant operand
  std::vector<std::int32_t> before, after;
};
struct SliceAttributes {  // one entry a dimension; stride is always 1
  std::vector<std::int32_t> begin, size;
};
struct LandmarksToMatrixAttributes {  // docs/engine.md, "Custom operators"
  std::int32_t left_rotation_index = 0, right_rotation_index = 0;
  float target_rotation_radians = 0;
  std::int32_t output_height = 0, output_width = 0;
  float scale_x = 1, scale_y = 1;
  std::vector<std::int32_t> subset = {};  // indices into the landmarks
};
struct TransformBilinearAttributes {
  std::int32_t output_height = 0, output_width = 0;
};

using Attributes =
    std::variant<std::monostate, ConvAttributes, ElementwiseAttributes, ConcatAttributes,
                 DepthToSpaceAttributes, PadAttributes, SliceAttributes,
                 LandmarksToMatrixAttributes, TransformBilinearAttributes>;

struct Node {
  OpType op;
  std::vector<TensorId> inputs;  // data operands first; kNoTensor for an absent bias
  std::vector<TensorId> outputs;
  Attributes attributes = {};
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;  // in execution order: a node's inputs come from earlier nodes
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;  // in the order of the model file
};

}  // namespace holostat::engine
