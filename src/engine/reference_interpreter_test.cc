#include "engine/reference_interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

namespace holostat::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::FloatEq;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using Values = std::vector<float>;

// A graph put together by hand; every expected value in this file was computed by hand too.
class GraphMaker {
 public:
  TensorId Input(Shape shape) {
    const TensorId id = Add({.shape = std::move(shape)});
    graph_.inputs.push_back(id);
    return id;
  }

  TensorId Constant(Shape shape, Values values) {
    Tensor tensor{.shape = std::move(shape)};
    tensor.owned = std::make_shared<const Values>(std::move(values));
    tensor.data = Bytes(*tensor.owned);
    return Add(std::move(tensor));
  }

  // `halves` must outlive the graph.
  TensorId HalfConstant(Shape shape, const std::vector<std::uint16_t>& halves,
                        std::shared_ptr<const SparseRows> sparse = nullptr) {
    return Add({.type = DataType::kFloat16,
                .shape = std::move(shape),
                .data = Bytes(halves),
                .sparse = std::move(sparse)});
  }

  TensorId Apply(OpType op, std::vector<TensorId> inputs, Shape result, Attributes a = {}) {
    const TensorId id = Add({.shape = std::move(result)});
    graph_.nodes.push_back({op, std::move(inputs), {id}, std::move(a)});
    return id;
  }

  const Graph& WithOutputs(std::vector<TensorId> outputs) {
    graph_.outputs = std::move(outputs);
    return graph_;
  }

 private:
  template <class T>
  static std::span<const std::uint8_t> Bytes(const std::vector<T>& values) {
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
  }
  TensorId Add(Tensor tensor) {
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size() - 1);
  }

  Graph graph_;
};

// What one operator makes of one input and constants.
struct Constant {
  Shape shape;
  Values values;
};
Values RunOne(OpType op, const Constant& input, const std::vector<Constant>& constants,
              const Shape& result, const Attributes& attributes = {}) {
  GraphMaker maker;
  std::vector<TensorId> operands = {maker.Input(input.shape)};
  for (const Constant& c : constants) {
    operands.push_back(c.values.empty() ? kNoTensor : maker.Constant(c.shape, c.values));
  }
  const TensorId y = maker.Apply(op, operands, result, attributes);
  return RunReference(maker.WithOutputs({y}), std::vector<Values>{input.values})[0];
}

const Constant kNoBias = {};

Values Counting(int last) {
  Values values;
  for (int i = 1; i <= last; ++i) values.push_back(static_cast<float>(i));
  return values;
}

TEST(ReferenceConv2D, SumsChannelsOfAPixelAndAddsTheBias) {
  EXPECT_THAT(
      RunOne(OpType::kConv2D, {{1, 1, 2, 2}, {1, 2, 3, 4}},
             {{{2, 1, 1, 2}, {1, 10, -1, 0.5}}, {{2}, {0.5, -1}}}, {1, 1, 2, 2}, ConvAttributes{}),
      ElementsAre(21.5, -1, 43.5, -2));
}

TEST(ReferenceConv2D, ReadsFiltersRowThenColumnThenChannel) {
  EXPECT_THAT(RunOne(OpType::kConv2D, {{1, 2, 2, 2}, Counting(8)},
                     {{{1, 2, 2, 2}, {1, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 0, 0}}, kNoBias},
                     {1, 1, 1, 1}, ConvAttributes{.padding = Padding::kValid}),
              ElementsAre(1 + 20 + 300 + 4000 + 50000 + 600000));
}

TEST(ReferenceConv2D, SeesZerosOutsideOfThePictureWithSamePadding) {
  EXPECT_THAT(RunOne(OpType::kConv2D, {{1, 3, 3, 1}, Counting(9)},
                     {{{1, 3, 3, 1}, Values(9, 1)}, kNoBias}, {1, 3, 3, 1}, ConvAttributes{}),
              ElementsAre(12, 21, 16, 27, 45, 33, 24, 39, 28));
}

TEST(ReferenceConv2D, PutsTheOddRestOfSamePaddingBehind) {
  EXPECT_THAT(
      RunOne(OpType::kConv2D, {{1, 4, 4, 1}, Counting(16)}, {{{1, 3, 3, 1}, Values(9, 1)}, kNoBias},
             {1, 2, 2, 1}, ConvAttributes{.stride_h = 2, .stride_w = 2}),
      ElementsAre(54, 45, 72, 54));
}

TEST(ReferenceConv2D, SplitsSamePaddingEvenlyForOddSizes) {
  EXPECT_THAT(
      RunOne(OpType::kConv2D, {{1, 1, 5, 1}, Counting(5)}, {{{1, 1, 3, 1}, {1, 1, 1}}, kNoBias},
             {1, 1, 3, 1}, ConvAttributes{.stride_h = 2, .stride_w = 2}),
      ElementsAre(3, 9, 9));
}

TEST(ReferenceConv2D, StridesByThree) {
  EXPECT_THAT(
      RunOne(OpType::kConv2D, {{1, 1, 8, 1}, Counting(8)}, {{{1, 1, 2, 1}, {1, 1}}, kNoBias},
             {1, 1, 3, 1}, ConvAttributes{.padding = Padding::kValid, .stride_w = 3}),
      ElementsAre(3, 9, 15));
  EXPECT_THAT(
      RunOne(OpType::kConv2D, {{1, 1, 7, 1}, Counting(7)}, {{{1, 1, 2, 1}, {1, 1}}, kNoBias},
             {1, 1, 3, 1}, ConvAttributes{.stride_w = 3}),
      ElementsAre(3, 9, 7));
}

TEST(ReferenceConv2D, KeepsStridesOfRowsAndColumnsApart) {
  EXPECT_THAT(
      RunOne(OpType::kConv2D, {{1, 3, 3, 1}, Counting(9)}, {{{1, 1, 2, 1}, {1, 1}}, kNoBias},
             {1, 2, 2, 1}, ConvAttributes{.padding = Padding::kValid, .stride_h = 2}),
      ElementsAre(3, 5, 15, 17));
}

TEST(ReferenceConv2D, SpreadsTheFilterByItsDilation) {
  const Constant input = {{1, 1, 6, 1}, Counting(6)};
  const Constant filter = {{1, 1, 3, 1}, {1, 10, 100}};
  EXPECT_THAT(RunOne(OpType::kConv2D, input, {filter, kNoBias}, {1, 1, 2, 1},
                     ConvAttributes{.padding = Padding::kValid, .dilation_w = 2}),
              ElementsAre(531, 642));
  EXPECT_THAT(RunOne(OpType::kConv2D, input, {filter, kNoBias}, {1, 1, 6, 1},
                     ConvAttributes{.dilation_w = 2}),
              ElementsAre(310, 420, 531, 642, 53, 64));
}

TEST(ReferenceConv2D, ClampsToTheRange) {
  EXPECT_THAT(RunOne(OpType::kConv2D, {{1, 1, 3, 1}, {-1, 3, 8}}, {{{1, 1, 1, 1}, {1}}, kNoBias},
                     {1, 1, 3, 1}, ConvAttributes{.range = {.min = 0, .max = 6}}),
              ElementsAre(0, 3, 6));
}

TEST(ReferenceDepthwiseConv2D, FiltersEachChannelAlone) {
  const Constant input = {{1, 1, 3, 2}, {1, 10, 2, 20, 3, 30}};
  const Constant filter = {{1, 1, 2, 2}, {1, 2, 3, 4}};
  EXPECT_THAT(RunOne(OpType::kDepthwiseConv2D, input, {filter, {{2}, {0.5, -100}}}, {1, 1, 2, 2},
                     ConvAttributes{.padding = Padding::kValid}),
              ElementsAre(7.5, 0, 11.5, 60));
  EXPECT_THAT(RunOne(OpType::kDepthwiseConv2D, input, {filter, kNoBias}, {1, 1, 2, 2},
                     ConvAttributes{.stride_h = 2, .stride_w = 2}),
              ElementsAre(7, 100, 3, 60));
}

TEST(ReferenceDepthwiseConv2D, SpreadsTheFilterAndClampsToTheRange) {
  EXPECT_THAT(
      RunOne(OpType::kDepthwiseConv2D, {{1, 4, 1, 1}, {1, 2, 3, 4}},
             {{{1, 2, 1, 1}, {1, 1}}, kNoBias}, {1, 2, 1, 1},
             ConvAttributes{
                 .padding = Padding::kValid, .dilation_h = 2, .range = {.min = 0, .max = 5}}),
      ElementsAre(4, 5));
}

TEST(ReferenceMaxPool2D, TakesTheLargestOfEachWindow) {
  EXPECT_THAT(
      RunOne(OpType::kMaxPool2D, {{1, 2, 4, 1}, {1, 5, 2, 0, 3, 4, 9, -1}}, {}, {1, 1, 2, 1},
             ConvAttributes{.padding = Padding::kValid,
                            .stride_h = 2,
                            .stride_w = 2,
                            .kernel_h = 2,
                            .kernel_w = 2}),
      ElementsAre(5, 9));
}

TEST(ReferenceMaxPool2D, IgnoresThePadding) {
  EXPECT_THAT(RunOne(OpType::kMaxPool2D, {{1, 3, 3, 1}, {-1, -2, -3, -4, -5, -6, -7, -8, -9}}, {},
                     {1, 2, 2, 1},
                     ConvAttributes{.stride_h = 2, .stride_w = 2, .kernel_h = 2, .kernel_w = 2}),
              ElementsAre(-1, -3, -7, -9));
}

TEST(ReferenceFullyConnected, MultipliesRowsOfTheFilter) {
  const std::vector<Constant> constants = {{{2, 3}, {1, 0, -1, 2, 2, 2}}, {{2}, {10, 20}}};
  EXPECT_THAT(RunOne(OpType::kFullyConnected, {{1, 3}, {1, 2, 3}}, constants, {1, 2},
                     ElementwiseAttributes{}),
              ElementsAre(8, 32));
  EXPECT_THAT(RunOne(OpType::kFullyConnected, {{1, 1, 1, 3}, {1, 2, 3}}, constants, {1, 2},
                     ElementwiseAttributes{.range = {.max = 9}}),
              ElementsAre(8, 9));
}

TEST(ReferenceAdd, BroadcastsScalarsAndChannels) {
  const Constant input = {{1, 1, 2, 3}, Counting(6)};
  EXPECT_THAT(RunOne(OpType::kAdd, input, {{{1}, {10}}}, {1, 1, 2, 3}, ElementwiseAttributes{}),
              ElementsAre(11, 12, 13, 14, 15, 16));
  EXPECT_THAT(
      RunOne(OpType::kAdd, input, {{{3}, {10, 20, 30}}}, {1, 1, 2, 3}, ElementwiseAttributes{}),
      ElementsAre(11, 22, 33, 14, 25, 36));
  EXPECT_THAT(RunOne(OpType::kAdd, input, {{{1, 1, 2, 1}, {10, -10}}}, {1, 1, 2, 3},
                     ElementwiseAttributes{.range = {.min = 0, .max = 12}}),
              ElementsAre(11, 12, 12, 0, 0, 0));
}

TEST(ReferenceMul, MultipliesElementByElement) {
  EXPECT_THAT(RunOne(OpType::kMul, {{1, 2, 2}, {1, 2, 3, 4}}, {{{1, 2, 2}, {2, 3, 0.5, -1}}},
                     {1, 2, 2}, ElementwiseAttributes{}),
              ElementsAre(2, 6, 1.5, -4));
  EXPECT_THAT(RunOne(OpType::kMul, {{1, 2, 2}, {1, 2, 3, 4}}, {{{1}, {0.25}}}, {1, 2, 2},
                     ElementwiseAttributes{}),
              ElementsAre(0.25, 0.5, 0.75, 1));
}

TEST(ReferenceActivations, ClampReluLogistic) {
  EXPECT_THAT(RunOne(OpType::kClamp, {{1, 3}, {-1, 3, 9}}, {}, {1, 3},
                     ElementwiseAttributes{.range = {.min = 0, .max = 6}}),
              ElementsAre(0, 3, 6));
  EXPECT_THAT(RunOne(OpType::kRelu, {{1, 3}, {-1, 0, 9}}, {}, {1, 3}), ElementsAre(0, 0, 9));
  EXPECT_THAT(RunOne(OpType::kLogistic, {{1, 4}, {0, std::log(3.0F), 100, -200}}, {}, {1, 4}),
              ElementsAre(0.5, FloatEq(0.75), 1, 0));
}

TEST(ReferencePrelu, ScalesNegativesByTheSlopeOfTheirChannel) {
  EXPECT_THAT(RunOne(OpType::kPrelu, {{1, 1, 2, 2}, {-2, -4, 3, -8}}, {{{1, 1, 2}, {0.5, -1}}},
                     {1, 1, 2, 2}),
              ElementsAre(-1, 4, 3, 8));
}

TEST(ReferenceMean, AveragesRowsAndColumns) {
  EXPECT_THAT(RunOne(OpType::kMean, {{1, 2, 2, 2}, {1, 10, 2, 20, 3, 30, 6, 0}}, {}, {1, 2}),
              ElementsAre(3, 15));
}

TEST(ReferenceConcatenation, JoinsAlongTheAxis) {
  const Constant input = {{1, 1, 2, 2}, {1, 2, 3, 4}};
  EXPECT_THAT(RunOne(OpType::kConcatenation, input, {{{1, 1, 2, 1}, {8, 9}}}, {1, 1, 2, 3},
                     ConcatAttributes{.axis = 3}),
              ElementsAre(1, 2, 8, 3, 4, 9));
  EXPECT_THAT(RunOne(OpType::kConcatenation, input,
                     {{{1, 2, 2, 2}, {5, 6, 7, 8, 9, 10, 11, 12}}, {{1, 1, 2, 2}, {0, 0, 0, 1}}},
                     {1, 4, 2, 2}, ConcatAttributes{.axis = 1}),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 1));
}

TEST(ReferenceDepthToSpace, DealsChannelsToABlock) {
  EXPECT_THAT(RunOne(OpType::kDepthToSpace, {{1, 1, 2, 4}, Counting(8)}, {}, {1, 2, 4, 1},
                     DepthToSpaceAttributes{.block = 2}),
              ElementsAre(1, 2, 5, 6, 3, 4, 7, 8));
  EXPECT_THAT(RunOne(OpType::kDepthToSpace, {{1, 1, 1, 8}, Counting(8)}, {}, {1, 2, 2, 2},
                     DepthToSpaceAttributes{.block = 2}),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(ReferencePad, AddsZerosBeforeAndAfter) {
  EXPECT_THAT(RunOne(OpType::kPad, {{1, 1, 2, 1}, {1, 2}}, {}, {1, 2, 5, 1},
                     PadAttributes{.before = {0, 1, 1, 0}, .after = {0, 0, 2, 0}}),
              ElementsAre(0, 0, 0, 0, 0, 0, 1, 2, 0, 0));
}

TEST(ReferencePad, AddsChannelsAtTheEnd) {
  EXPECT_THAT(RunOne(OpType::kPad, {{1, 1, 2, 2}, {1, 2, 3, 4}}, {}, {1, 1, 2, 3},
                     PadAttributes{.before = {0, 0, 0, 0}, .after = {0, 0, 0, 1}}),
              ElementsAre(1, 2, 0, 3, 4, 0));
}

TEST(ReferenceStridedSlice, CutsABox) {
  EXPECT_THAT(RunOne(OpType::kStridedSlice, {{1, 2, 2, 3}, Counting(12)}, {}, {1, 1, 2, 2},
                     SliceAttributes{.begin = {0, 1, 0, 0}, .size = {1, 1, 2, 2}}),
              ElementsAre(7, 8, 10, 11));
  EXPECT_THAT(RunOne(OpType::kStridedSlice, {{1, 1, 2, 3}, Counting(6)}, {}, {1, 1, 2, 1},
                     SliceAttributes{.begin = {0, 0, 0, 2}, .size = {1, 1, 2, 1}}),
              ElementsAre(3, 6));
}

TEST(ReferenceReshape, KeepsTheOrder) {
  EXPECT_THAT(RunOne(OpType::kReshape, {{1, 1, 2, 2}, Counting(4)}, {}, {1, 4, 1}),
              ElementsAre(1, 2, 3, 4));
}

TEST(ReferenceResizeBilinear, SamplesAtPixelCentresWhenEnlarging) {
  EXPECT_THAT(RunOne(OpType::kResizeBilinear, {{1, 1, 2, 1}, {0, 10}}, {}, {1, 1, 4, 1}),
              ElementsAre(0, 2.5, 7.5, 10));
  EXPECT_THAT(RunOne(OpType::kResizeBilinear, {{1, 2, 2, 1}, {0, 10, 100, 110}}, {}, {1, 4, 4, 1}),
              ElementsAreArray({0.0, 2.5, 7.5, 10.0, 25.0, 27.5, 32.5, 35.0, 75.0, 77.5, 82.5, 85.0,
                                100.0, 102.5, 107.5, 110.0}));
}

TEST(ReferenceResizeBilinear, SamplesAtPixelCentresWhenShrinking) {
  EXPECT_THAT(
      RunOne(OpType::kResizeBilinear, {{1, 3, 1, 2}, {0, 1, 10, 1, 40, 1}}, {}, {1, 2, 1, 2}),
      ElementsAre(2.5, 1, 32.5, 1));
}

TEST(ReferenceConstants, DecodesHalfPrecision) {
  // 1, -2, the smallest subnormal, the largest number, nearly a third, minus zero, infinity.
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x7bff,
                                             0x3555, 0x8000, 0x7c00};
  GraphMaker maker;
  const TensorId constant = maker.HalfConstant({7}, halves);
  const TensorId y = maker.Apply(OpType::kDequantize, {constant}, {7});
  EXPECT_THAT(RunReference(maker.WithOutputs({y}), {})[0],
              ElementsAre(1, -2, std::ldexp(1.0F, -24), 65504, 0.333251953125, 0,
                          std::numeric_limits<float>::infinity()));
}

TEST(ReferenceConstants, DensifiesCompressedRows) {
  const std::vector<std::uint16_t> halves = {0x3c00, 0x4000, 0x4200};  // 1, 2, 3
  auto rows = std::make_shared<const SparseRows>(
      SparseRows{.segments = {0, 2, 2, 3}, .indices = {1, 3, 0}});
  GraphMaker maker;
  const TensorId packed = maker.HalfConstant({3, 1, 1, 4}, halves, rows);
  const TensorId dense = maker.Apply(OpType::kDensify, {packed}, {3, 1, 1, 4});
  const TensorId y = maker.Apply(OpType::kDequantize, {dense}, {3, 1, 1, 4});
  EXPECT_THAT(RunReference(maker.WithOutputs({y}), {})[0],
              ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0));
}

// The worked example of docs/engine.md.
TEST(ReferenceLandmarksToTransformMatrix, MatchesTheWorkedExample) {
  const LandmarksToMatrixAttributes attributes = {.left_rotation_index = 0,
                                                  .right_rotation_index = 1,
                                                  .output_height = 16,
                                                  .output_width = 16,
                                                  .scale_x = 1.5,
                                                  .scale_y = 1.5,
                                                  .subset = {0, 1, 2, 3}};
  EXPECT_THAT(RunOne(OpType::kLandmarksToTransformMatrix,
                     {{1, 5, 3}, {10, 20, 7, 30, 24, 7, 20, 30, 7, 22, 14, 7, 99, 99, 7}}, {},
                     {1, 4, 4}, attributes),
              Pointwise(testing::FloatNear(1e-6F),
                        Values{1.875F, -0.2956731F, 0, 7.4038462F, 0.375F, 1.4783654F, 0,
                               6.9807692F, 0, 0, 1, 0, 0, 0, 0, 1}));
}

TEST(ReferenceLandmarksToTransformMatrix, TurnsToTheTargetAngle) {
  // A level line and a target of a quarter turn: r = pi/2, so that x' = -y, y' = x; the crop of the
  // subset {(0,0), (4,2)} is 2 wide and 4 high around (2, 1).
  const LandmarksToMatrixAttributes attributes = {.left_rotation_index = 0,
                                                  .right_rotation_index = 2,
                                                  .target_rotation_radians = 1.57079632679F,
                                                  .output_height = 4,
                                                  .output_width = 2,
                                                  .subset = {0, 1}};
  EXPECT_THAT(RunOne(OpType::kLandmarksToTransformMatrix, {{1, 3, 2}, {0, 0, 4, 2, 8, 0}}, {},
                     {1, 4, 4}, attributes),
              Pointwise(testing::FloatNear(1e-6F),
                        Values{0, 1, 0, 0, -1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 1}));
}

Constant Matrix(float m00, float m01, float m03, float m10, float m11, float m13) {
  return {{1, 4, 4}, {m00, m01, 0, m03, m10, m11, 0, m13, 0, 0, 1, 0, 0, 0, 0, 1}};
}

TEST(ReferenceTransformTensorBilinear, InterpolatesAndIsZeroOutside) {
  const Constant input = {{1, 2, 3, 1}, {0, 10, 20, 100, 110, 120}};
  const TransformBilinearAttributes two_by_three = {.output_height = 2, .output_width = 3};
  const auto run = [&](const Constant& matrix) {
    return RunOne(OpType::kTransformTensorBilinear, input, {matrix}, {1, 2, 3, 1}, two_by_three);
  };
  EXPECT_THAT(run(Matrix(1, 0, 0, 0, 1, 0)), ElementsAreArray(input.values));
  EXPECT_THAT(run(Matrix(1, 0, 0.5, 0, 1, 0)), ElementsAre(5, 15, 0, 105, 115, 0));
  EXPECT_THAT(run(Matrix(1, 0, -0.25, 0, 1, 0)), ElementsAre(0, 7.5, 17.5, 0, 107.5, 117.5));
  EXPECT_THAT(run(Matrix(1, 0, 0, 0, 1, 0.25)), ElementsAre(25, 35, 45, 0, 0, 0));
}

TEST(ReferenceTransformTensorBilinear, TakesPixelCentresThroughTheMatrix) {
  const Constant input = {{1, 2, 3, 1}, {0, 10, 20, 100, 110, 120}};
  EXPECT_THAT(RunOne(OpType::kTransformTensorBilinear, input, {Matrix(0, 1, 0, 1, 0, 0)},
                     {1, 3, 2, 1}, TransformBilinearAttributes{3, 2}),
              ElementsAre(0, 100, 10, 110, 20, 120));
  // Half as many result pixels, each the mean of the four it covers: x = 2 (ox + 0.5) - 0.5.
  EXPECT_THAT(RunOne(OpType::kTransformTensorBilinear, input, {Matrix(2, 0, 0, 0, 2, 0)},
                     {1, 1, 1, 1}, TransformBilinearAttributes{1, 1}),
              ElementsAre(55));
}

TEST(ReferenceTransformLandmarks, MovesXAndYOnly) {
  const Constant matrix = Matrix(2, 1, 5, -1, 3, 7);
  EXPECT_THAT(RunOne(OpType::kTransformLandmarks, {{1, 2, 2}, {1, 2, 3, 4}}, {matrix}, {1, 2, 2}),
              ElementsAre(9, 12, 15, 16));
  EXPECT_THAT(RunOne(OpType::kTransformLandmarks, {{1, 1, 3}, {1, 2, 99}}, {matrix}, {1, 1, 3}),
              ElementsAre(9, 12, 99));
}

TEST(RunReference, PassesValuesFromNodeToNode) {
  GraphMaker maker;
  const TensorId x = maker.Input({1, 2});
  const TensorId two = maker.Constant({1}, {2});
  const TensorId doubled = maker.Apply(OpType::kMul, {x, two}, {1, 2}, ElementwiseAttributes{});
  const TensorId sum =
      maker.Apply(OpType::kAdd, {doubled, doubled}, {1, 2}, ElementwiseAttributes{});
  const TensorId last = maker.Apply(OpType::kMul, {sum, two}, {1, 2}, ElementwiseAttributes{});
  const auto results =
      RunReference(maker.WithOutputs({last, kNoTensor, doubled}), std::vector<Values>{{1, -3}});
  EXPECT_THAT(results, ElementsAre(ElementsAre(8, -24), IsEmpty(), ElementsAre(2, -6)));
}

TEST(RunReferenceDeathTest, AbortsOnAShapeTheOperatorDoesNotCompute) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(RunOne(OpType::kMaxPool2D, {{1, 2, 2, 1}, {1, 2, 3, 4}}, {}, {1, 2, 2, 1},
                      ConvAttributes{.stride_h = 2, .stride_w = 2, .kernel_h = 2, .kernel_w = 2}),
               "rows.out == out.h");
}

}  // namespace
}  // namespace holostat::engine
