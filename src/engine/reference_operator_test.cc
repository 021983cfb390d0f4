// Every operator in many shapes and variants: Session, that is XNNPACK and our own kernels, against
// the reference interpreter, on the graph as read and on the optimised graph.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/model_builder.h"
#include "engine/passes.h"
#include "engine/reference_comparison.h"
#include "engine/reference_interpreter.h"
#include "engine/session.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

using tflite::Activation;
using tflite::BuiltinOperator;

// Differences allowed, relative to the largest value of the reference result.
constexpr double kExact = 0;            // only moves values
constexpr double kOneRounding = 2e-7;   // float32 has 6e-8 to either side
constexpr double kSumRounding = 2e-6;   // sums of up to a few hundred products in float32
constexpr double kApproximated = 2e-6;  // XNNPACK computes the sigmoid from a table
constexpr double kCropMatrix = 4e-6;    // sines, cosines and differences of positions

std::size_t Count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                         [](std::size_t n, int dim) { return n * static_cast<std::size_t>(dim); });
}

std::vector<float> Scaled(std::vector<float> values, double factor) {
  for (float& v : values) v = static_cast<float>(static_cast<double>(v) * factor);
  return values;
}

std::vector<std::size_t> AllOutputs(const ModelSpec& spec) {
  std::vector<std::size_t> all(spec.outputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void ExpectNear(const TensorValues& actual, const TensorValues& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_LE(RelativeDifference(actual[i], expected[i]), tolerance) << "output " << i;
  }
}

// The file, read, computes the same by the reference before and after the passes (exactly), and
// by a session (within the tolerance), twice in a row.
void ExpectMatchesReference(const ModelSpec& spec, double tolerance, TensorValues inputs = {}) {
  const std::vector<std::uint8_t> file = BuildModel(spec);
  auto graph = ReadTflite(file);
  ASSERT_TRUE(graph) << graph.error().message;
  if (inputs.empty()) inputs = PseudoRandomInputs(*graph, 1);
  const TensorValues expected = RunReference(*graph, inputs);
  const auto optimized = Optimize(*graph, AllOutputs(spec));
  ASSERT_TRUE(optimized) << optimized.error().message;
  EXPECT_EQ(RunReference(*graph, inputs), expected) << "the passes changed the result";

  const auto session = Session::Create(file, {});
  ASSERT_TRUE(session) << session.error().message;
  const auto other = RunOnce(**session, PseudoRandomInputs(*graph, 99));
  ASSERT_TRUE(other) << other.error().message;
  const auto first = RunOnce(**session, inputs);
  ASSERT_TRUE(first) << first.error().message;
  ExpectNear(*first, expected, tolerance);
  const auto second = RunOnce(**session, inputs);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(*second, *first) << "a second run differs";
}

// --- Convolutions ---

enum class Weights { kFloat, kHalf, kSparseHalf };

struct ConvCase {
  std::int32_t h = 8, w = 8, in_c = 4, out_c = 6;
  std::int32_t kernel_h = 3, kernel_w = 3;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  tflite::Padding padding = tflite::Padding::SAME;
  Activation activation = Activation::NONE;
  Weights weights = Weights::kFloat;
  bool has_bias = true;
  bool is_depthwise = false;
};

std::string Describe(const ConvCase& c) {
  return fmt::format("{}x{}x{} -> {}, kernel {}x{}, stride {}x{}, dilation {}x{}, {}{}", c.h, c.w,
                     c.in_c, c.out_c, c.kernel_h, c.kernel_w, c.stride_h, c.stride_w, c.dilation_h,
                     c.dilation_w, tflite::EnumNamePadding(c.padding),
                     c.is_depthwise ? ", depthwise" : "");
}

// 0 when the window does not fit.
std::int32_t WindowCount(std::int32_t in, std::int32_t kernel, std::int32_t stride,
                         std::int32_t dilation, tflite::Padding padding) {
  if (padding == tflite::Padding::SAME) return (in + stride - 1) / stride;
  const std::int32_t extent = (kernel - 1) * dilation + 1;
  return extent > in ? 0 : (in - extent) / stride + 1;
}

// Adds the constant as float32, or as float16 with the operators that expand it.
std::int32_t AddWeights(ModelSpec& spec, const Shape& shape, std::vector<float> values,
                        Weights weights) {
  if (weights == Weights::kFloat) return spec.Add(FloatConstant(shape, values));
  for (float& v : values) v = std::round(v * 64) / 64;  // exact in float16
  std::int32_t half;
  if (weights == Weights::kHalf) {
    half = spec.Add(HalfConstant(shape, values));
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % 3 != 0) values[i] = 0;
    }
    TensorSpec dense = FloatTensor(shape);
    dense.type = tflite::TensorType::FLOAT16;
    const std::int32_t packed = spec.Add(SparseHalfConstant(shape, values));
    half = spec.Add(dense);
    spec.operators.push_back(
        {.op = BuiltinOperator::DENSIFY, .inputs = {packed}, .outputs = {half}});
  }
  return spec.Apply({.op = BuiltinOperator::DEQUANTIZE}, {half}, shape);
}

std::int32_t ApplyConv(ModelSpec& spec, const ConvCase& c, std::int32_t input) {
  const Shape filter_shape = c.is_depthwise ? Shape{1, c.kernel_h, c.kernel_w, c.in_c}
                                            : Shape{c.out_c, c.kernel_h, c.kernel_w, c.in_c};
  const std::int32_t out_c = c.is_depthwise ? c.in_c : c.out_c;
  const double fan_in = c.kernel_h * c.kernel_w * (c.is_depthwise ? 1.0 : c.in_c);
  const auto seed = static_cast<std::uint32_t>(spec.tensors.size());
  auto values = Scaled(PseudoRandomValues(Count(filter_shape), seed), 2 / std::sqrt(fan_in));
  const std::int32_t filter = AddWeights(spec, filter_shape, std::move(values), c.weights);
  const std::int32_t bias =
      c.has_bias ? spec.Add(FloatConstant(
                       {out_c}, PseudoRandomValues(static_cast<std::size_t>(out_c), seed + 1)))
                 : -1;
  const OperatorSpec op = {
      .op = c.is_depthwise ? BuiltinOperator::DEPTHWISE_CONV_2D : BuiltinOperator::CONV_2D,
      .options = {.padding = c.padding,
                  .activation = c.activation,
                  .stride_h = c.stride_h,
                  .stride_w = c.stride_w,
                  .dilation_h = c.dilation_h,
                  .dilation_w = c.dilation_w}};
  return spec.Apply(op, {input, filter, bias},
                    {1, WindowCount(c.h, c.kernel_h, c.stride_h, c.dilation_h, c.padding),
                     WindowCount(c.w, c.kernel_w, c.stride_w, c.dilation_w, c.padding), out_c});
}

void CheckConv(const ConvCase& c) {
  SCOPED_TRACE(Describe(c));
  ModelSpec spec;
  const std::int32_t input = spec.AddInput({1, c.h, c.w, c.in_c});
  spec.outputs = {ApplyConv(spec, c, input)};
  ExpectMatchesReference(spec, kSumRounding);
}

// Sizes, kernels, strides, dilations and paddings in all combinations that fit.
void CheckWindows(ConvCase c) {
  for (const auto& [h, w] : {std::pair{8, 8}, {7, 9}, {13, 5}, {1, 1}}) {
    for (const auto& [kernel_h, kernel_w] : {std::pair{1, 1}, {3, 3}, {5, 5}, {2, 3}, {1, 4}}) {
      for (const int stride : {1, 2, 3}) {
        for (const int dilation : {1, 2}) {
          for (const auto padding : {tflite::Padding::SAME, tflite::Padding::VALID}) {
            if (WindowCount(h, kernel_h, stride, dilation, padding) == 0) continue;
            if (WindowCount(w, kernel_w, stride, dilation, padding) == 0) continue;
            c.h = h, c.w = w, c.kernel_h = kernel_h, c.kernel_w = kernel_w;
            c.stride_h = c.stride_w = stride;
            c.dilation_h = c.dilation_w = dilation;
            c.padding = padding;
            CheckConv(c);
          }
        }
      }
    }
  }
}

TEST(Conv2D, MatchesReferenceForAllWindows) { CheckWindows({.in_c = 3, .out_c = 5}); }

TEST(Conv2D, MatchesReferenceForManyChannelCounts) {
  for (const int in_c : {1, 2, 3, 4, 8, 17, 96}) {
    for (const int out_c : {1, 3, 4, 8, 15, 16, 33}) {
      CheckConv({.h = 6, .w = 5, .in_c = in_c, .out_c = out_c});
      CheckConv({.h = 6, .w = 5, .in_c = in_c, .out_c = out_c, .kernel_h = 1, .kernel_w = 1});
    }
  }
}

TEST(Conv2D, MatchesReferenceForUnequalStridesAndDilations) {
  CheckConv({.h = 9, .w = 10, .stride_h = 2});
  CheckConv({.h = 9, .w = 10, .stride_w = 3});
  CheckConv({.h = 9, .w = 10, .dilation_h = 3});
  CheckConv({.h = 9, .w = 10, .dilation_w = 2, .padding = tflite::Padding::VALID});
}

TEST(Conv2D, MatchesReferenceForActivationsAndWithoutBias) {
  for (const auto activation : {Activation::NONE, Activation::RELU, Activation::RELU6}) {
    CheckConv({.activation = activation});
    CheckConv({.activation = activation, .has_bias = false});
  }
}

TEST(Conv2D, MatchesReferenceForPackedWeights) {
  for (const auto weights : {Weights::kHalf, Weights::kSparseHalf}) {
    CheckConv({.weights = weights});
    CheckConv({.in_c = 40, .kernel_h = 1, .kernel_w = 1, .weights = weights});
  }
}

TEST(DepthwiseConv2D, MatchesReferenceForAllWindows) {
  CheckWindows({.in_c = 5, .is_depthwise = true});
}

TEST(DepthwiseConv2D, MatchesReferenceForManyChannelCounts) {
  for (const int channels : {1, 2, 4, 7, 8, 16, 31, 96}) {
    for (const int stride : {1, 2}) {
      CheckConv({.in_c = channels, .stride_h = stride, .stride_w = stride, .is_depthwise = true});
    }
  }
}

TEST(DepthwiseConv2D, MatchesReferenceForOptions) {
  for (const auto activation : {Activation::NONE, Activation::RELU, Activation::RELU6}) {
    CheckConv({.activation = activation, .is_depthwise = true});
    CheckConv({.activation = activation, .has_bias = false, .is_depthwise = true});
  }
  CheckConv({.weights = Weights::kHalf, .is_depthwise = true});
  CheckConv({.h = 9, .w = 10, .stride_h = 2, .is_depthwise = true});
  CheckConv({.h = 9, .w = 10, .dilation_w = 3, .is_depthwise = true});
}

// --- The other operators, one at a time ---

void CheckOne(const OperatorSpec& op, std::vector<TensorSpec> operands, const Shape& result,
              double tolerance) {
  SCOPED_TRACE(
      fmt::format("{} -> [{}]", tflite::EnumNameBuiltinOperator(op.op), fmt::join(result, ", ")));
  ExpectMatchesReference(OneOperatorModel(op, std::move(operands), result), tolerance);
}

TensorSpec RandomConstant(const Shape& shape, std::uint32_t seed = 7) {
  return FloatConstant(shape, PseudoRandomValues(Count(shape), seed));
}

TEST(MaxPool2D, MatchesReference) {
  for (const auto& [h, w] : {std::pair{8, 8}, {7, 9}, {13, 4}}) {
    for (const auto& [kernel_h, kernel_w] : {std::pair{2, 2}, {3, 3}, {1, 2}, {4, 2}}) {
      for (const int stride : {1, 2, 3}) {
        for (const auto padding : {tflite::Padding::SAME, tflite::Padding::VALID}) {
          for (const int channels : {1, 4, 6, 32}) {
            const OptionsSpec options = {.padding = padding,
                                         .stride_h = stride,
                                         .stride_w = stride,
                                         .filter_h = kernel_h,
                                         .filter_w = kernel_w};
            CheckOne({.op = BuiltinOperator::MAX_POOL_2D, .options = options},
                     {FloatTensor({1, h, w, channels})},
                     {1, WindowCount(h, kernel_h, stride, 1, padding),
                      WindowCount(w, kernel_w, stride, 1, padding), channels},
                     kExact);
          }
        }
      }
    }
  }
}

TEST(MaxPool2D, MatchesReferenceWithAnActivation) {
  CheckOne({.op = BuiltinOperator::MAX_POOL_2D,
            .options = {.activation = Activation::RELU,
                        .stride_h = 2,
                        .stride_w = 2,
                        .filter_h = 2,
                        .filter_w = 2}},
           {FloatTensor({1, 6, 6, 3})}, {1, 3, 3, 3}, kExact);
}

TEST(FullyConnected, MatchesReference) {
  for (const int inputs : {1, 3, 16, 1152}) {
    for (const int outputs : {1, 5, 63}) {
      for (const Shape& shape : {Shape{1, inputs}, Shape{1, 1, 1, inputs}}) {
        for (const auto activation : {Activation::NONE, Activation::RELU6}) {
          CheckOne(
              {.op = BuiltinOperator::FULLY_CONNECTED, .options = {.activation = activation}},
              {FloatTensor(shape), RandomConstant({outputs, inputs}), RandomConstant({outputs})},
              {1, outputs}, kSumRounding);
        }
      }
    }
  }
}

TEST(FullyConnected, MatchesReferenceWithoutBiasAndForAPicture) {
  CheckOne({.op = BuiltinOperator::FULLY_CONNECTED},
           {FloatTensor({1, 2, 3, 4}), RandomConstant({5, 24})}, {1, 5}, kSumRounding);
}

TEST(AddAndMul, MatchReferenceForBroadcastShapes) {
  struct Shapes {
    Shape a, b, result;
  };
  const std::vector<Shapes> cases = {{{1, 4, 5, 3}, {1, 4, 5, 3}, {1, 4, 5, 3}},
                                     {{1, 4, 5, 3}, {1}, {1, 4, 5, 3}},
                                     {{1, 4, 5, 3}, {3}, {1, 4, 5, 3}},
                                     {{1, 4, 5, 3}, {1, 1, 1, 3}, {1, 4, 5, 3}},
                                     {{1, 4, 1, 3}, {1, 1, 5, 3}, {1, 4, 5, 3}},
                                     {{1, 4, 4}, {1, 4, 4}, {1, 4, 4}},
                                     {{1, 468, 3}, {1}, {1, 468, 3}},
                                     {{7}, {1, 3, 7}, {1, 3, 7}}};
  for (const auto op : {BuiltinOperator::ADD, BuiltinOperator::MUL}) {
    for (const auto activation : {Activation::NONE, Activation::RELU, Activation::RELU6}) {
      for (const auto& [a, b, result] : cases) {
        const OperatorSpec spec = {.op = op, .options = {.activation = activation}};
        CheckOne(spec, {FloatTensor(a), FloatTensor(b)}, result, kOneRounding);
        CheckOne(spec, {FloatTensor(a), RandomConstant(b)}, result, kOneRounding);
        CheckOne(spec, {RandomConstant(a), FloatTensor(b)}, result, kOneRounding);
      }
    }
  }
}

TEST(Activations, MatchReference) {
  for (const Shape& shape : {Shape{1, 3, 5, 7}, Shape{1, 9}, Shape{1, 1, 1, 1}, Shape{1, 5, 2}}) {
    CheckOne({.op = BuiltinOperator::RELU}, {FloatTensor(shape)}, shape, kExact);
    CheckOne({.op = BuiltinOperator::RELU6}, {FloatTensor(shape)}, shape, kExact);
    CheckOne({.op = BuiltinOperator::LOGISTIC}, {FloatTensor(shape)}, shape, kApproximated);
  }
}

TEST(Prelu, MatchesReference) {
  for (const int channels : {1, 3, 4, 8, 17, 128}) {
    for (const Shape& slope : {Shape{1, 1, channels}, Shape{channels}}) {
      CheckOne({.op = BuiltinOperator::PRELU},
               {FloatTensor({1, 5, 3, channels}), RandomConstant(slope)}, {1, 5, 3, channels},
               kOneRounding);
    }
  }
}

TEST(Mean, MatchesReference) {
  for (const bool keep_dims : {false, true}) {
    for (const auto& axes : {std::vector{1, 2}, {2, 1}, {-3, -2}}) {
      const OperatorSpec op = {.op = BuiltinOperator::MEAN, .options = {.keep_dims = keep_dims}};
      const Shape result = keep_dims ? Shape{1, 1, 1, 37} : Shape{1, 37};
      CheckOne(op, {FloatTensor({1, 7, 6, 37}), Int32Constant({2}, axes)}, result, kSumRounding);
    }
  }
}

TEST(Concatenation, MatchesReferenceAlongEveryAxis) {
  for (const int axis : {1, 2, 3, -1}) {
    const std::size_t d = axis < 0 ? 3 : static_cast<std::size_t>(axis);
    Shape a = {1, 2, 3, 4}, b = a, c = a, result = a;
    a[d] = 5, b[d] = 1, c[d] = 2, result[d] = 8;
    CheckOne({.op = BuiltinOperator::CONCATENATION, .options = {.axis = axis}},
             {FloatTensor(a), FloatTensor(b), FloatTensor(c)}, result, kExact);
  }
  CheckOne({.op = BuiltinOperator::CONCATENATION, .options = {.axis = 1}},
           {FloatTensor({1, 1568, 12}), FloatTensor({1, 392, 12})}, {1, 1960, 12}, kExact);
}

TEST(Concatenation, MatchesReferenceForOneInputAndForManyOfThem) {
  const OperatorSpec op = {.op = BuiltinOperator::CONCATENATION, .options = {.axis = 1}};
  CheckOne(op, {FloatTensor({1, 3, 2})}, {1, 3, 2}, kExact);
  CheckOne(op, std::vector<TensorSpec>(9, FloatTensor({1, 3, 2})), {1, 27, 2}, kExact);
}

TEST(DepthToSpace, MatchesReference) {
  for (const int block : {2, 3, 4}) {
    for (const int channels : {1, 3, 24}) {
      CheckOne({.op = BuiltinOperator::DEPTH_TO_SPACE, .options = {.block_size = block}},
               {FloatTensor({1, 3, 5, channels * block * block})},
               {1, 3 * block, 5 * block, channels}, kExact);
    }
  }
}

TEST(Pad, MatchesReference) {
  struct Case {
    Shape input;
    std::vector<std::int32_t> pairs;
    Shape result;
  };
  const std::vector<Case> cases = {
      {{1, 4, 5, 3}, {0, 0, 1, 1, 1, 1, 0, 0}, {1, 6, 7, 3}},
      {{1, 4, 5, 3}, {0, 0, 2, 0, 0, 3, 0, 0}, {1, 6, 8, 3}},
      {{1, 4, 5, 8}, {0, 0, 0, 0, 0, 0, 0, 8}, {1, 4, 5, 16}},
      {{1, 4, 5, 3}, {0, 0, 0, 0, 0, 0, 2, 1}, {1, 4, 5, 6}},
      {{1, 4, 5, 3}, {0, 0, 0, 0, 0, 0, 0, 0}, {1, 4, 5, 3}},
      {{1, 6, 2}, {0, 0, 1, 2, 0, 1}, {1, 9, 3}},
  };
  for (const auto& [input, pairs, result] : cases) {
    const auto rank = static_cast<std::int32_t>(input.size());
    CheckOne({.op = BuiltinOperator::PAD}, {FloatTensor(input), Int32Constant({rank, 2}, pairs)},
             result, kExact);
  }
}

TEST(Reshape, MatchesReferenceWithAndWithoutATarget) {
  const OperatorSpec op = {.op = BuiltinOperator::RESHAPE};
  CheckOne(op, {FloatTensor({1, 4, 4, 6})}, {1, 48, 2}, kExact);
  CheckOne(op, {FloatTensor({1, 4, 4, 6}), Int32Constant({2}, {1, -1})}, {1, 96}, kExact);
  CheckOne(op, {FloatTensor({1, 1, 1, 12})}, {1, 3, 2, 1, 2, 1}, kExact);
}

TEST(ResizeBilinear, MatchesReference) {
  for (const auto& [h, w] : {std::pair{6, 6}, {5, 3}, {1, 1}}) {
    for (const auto& [to_h, to_w] : {std::pair{12, 12}, {7, 4}, {3, 2}, {6, 6}, {1, 1}}) {
      for (const int channels : {1, 5, 32}) {
        CheckOne({.op = BuiltinOperator::RESIZE_BILINEAR},
                 {FloatTensor({1, h, w, channels}), Int32Constant({2}, {to_h, to_w})},
                 {1, to_h, to_w, channels}, kSumRounding);
      }
    }
  }
}

TEST(StridedSlice, MatchesReference) {
  struct Case {
    std::vector<std::int32_t> begin, end;
    std::int32_t begin_mask, end_mask;
    Shape result;
  };
  const std::vector<Case> cases = {
      {{0, 0, 0, 0}, {1, 4, 5, 3}, 0, 0, {1, 4, 5, 3}},    // first channels
      {{0, 0, 0, 2}, {0, 0, 0, 0}, 7, 15, {1, 4, 5, 4}},   // last channels, by masks
      {{0, 0, 0, -2}, {1, 4, 5, 99}, 0, 0, {1, 4, 5, 2}},  // counted from the end
      {{0, 1, 0, 0}, {1, 3, 5, 6}, 0, 0, {1, 2, 5, 6}},    // rows
      {{0, 0, 1, 0}, {1, 4, -1, 6}, 0, 0, {1, 4, 3, 6}},   // columns
      {{0, 1, 2, 3}, {1, 2, 4, 5}, 0, 0, {1, 1, 2, 2}},    // a box
  };
  for (const Case& c : cases) {
    const OptionsSpec options = {.begin_mask = c.begin_mask, .end_mask = c.end_mask};
    CheckOne({.op = BuiltinOperator::STRIDED_SLICE, .options = options},
             {FloatTensor({1, 4, 5, 6}), Int32Constant({4}, c.begin), Int32Constant({4}, c.end),
              Int32Constant({4}, {1, 1, 1, 1})},
             c.result, kExact);
  }
}

// --- The attention mesh ---

LandmarksToMatrixAttributes CropOptions() {
  return {.left_rotation_index = 0,
          .right_rotation_index = 3,
          .target_rotation_radians = 0.25F,
          .output_height = 16,
          .output_width = 12,
          .scale_x = 1.5,
          .scale_y = 1.25,
          .subset = {0, 1, 2, 3, 5}};
}

TEST(AttentionMesh, LandmarksToTransformMatrixMatchesReference) {
  for (const int dims : {2, 3}) {
    CheckOne(LandmarksToTransformMatrixOp(CropOptions()), {FloatTensor({1, 9, dims})}, {1, 4, 4},
             kCropMatrix);
  }
}

TEST(AttentionMesh, TransformTensorBilinearMatchesReference) {
  // Inside the picture, partly outside of it, and mirrored; no position close to the border, where
  // the operator is discontinuous.
  for (const std::vector<float>& m : {std::vector<float>{0.5F, 0.1F, 3.3F, -0.1F, 0.6F, 4.7F},
                                      {1.3F, 0.4F, 2.2F, -0.7F, 1.1F, 5.6F},
                                      {-0.9F, 0.0F, 12.4F, 0.0F, -0.8F, 11.3F}}) {
    const std::vector<float> matrix = {m[0], m[1], 0, m[2], m[3], m[4], 0, m[5],
                                       0,    0,    1, 0,    0,    0,    0, 1};
    const ModelSpec model =
        OneOperatorModel(TransformTensorBilinearOp(8, 10),
                         {FloatTensor({1, 14, 15, 6}), FloatTensor({1, 4, 4})}, {1, 8, 10, 6});
    ExpectMatchesReference(model, kSumRounding, {PseudoRandomValues(14 * 15 * 6, 1), matrix});
  }
}

TEST(AttentionMesh, TransformLandmarksMatchesReference) {
  for (const int dims : {2, 3}) {
    CheckOne(TransformLandmarksOp(), {FloatTensor({1, 71, dims}), FloatTensor({1, 4, 4})},
             {1, 71, dims}, kSumRounding);
  }
}

}  // namespace
}  // namespace holostat::engine
