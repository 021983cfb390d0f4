#include "engine/native_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holostat::engine {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

constexpr std::array<float, 16> kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

std::array<float, 16> Translation(float x, float y) {
  auto matrix = kIdentity;
  matrix[3] = x;
  matrix[7] = y;
  return matrix;
}

// That of docs/engine.md.
TEST(LandmarksToTransformMatrix, GivesTheMatrixOfTheWorkedExample) {
  const std::vector<float> landmarks = {10, 20, 9, 30, 24, 9, 20, 30, 9, 22, 14, 9};
  const LandmarksToMatrixAttributes options = {.left_rotation_index = 0,
                                               .right_rotation_index = 1,
                                               .target_rotation_radians = 0,
                                               .output_height = 16,
                                               .output_width = 16,
                                               .scale_x = 1.5F,
                                               .scale_y = 1.5F,
                                               .subset = {0, 1, 2, 3}};
  std::array<float, 16> matrix{};
  LandmarksToTransformMatrix(options, landmarks, 3, matrix);
  const std::vector<float> expected = {1.875F, -.2956731F, 0, 7.4038462F,  //
                                       .375F,  1.4783654F, 0, 6.9807692F,  //
                                       0,      0,          1, 0,           //
                                       0,      0,          0, 1};
  EXPECT_THAT(matrix, Pointwise(FloatNear(1e-5F), expected));
}

TEST(LandmarksToTransformMatrix, TakesTheMiddleOfTheCropToTheMiddleOfTheSubset) {
  const std::vector<float> landmarks = {10, 20, 30, 20, 10, 40, 30, 40};
  const LandmarksToMatrixAttributes options = {.left_rotation_index = 0,
                                               .right_rotation_index = 1,
                                               .target_rotation_radians = 0.7F,
                                               .output_height = 8,
                                               .output_width = 16,
                                               .scale_x = 2,
                                               .scale_y = 3,
                                               .subset = {0, 1, 2, 3}};
  std::array<float, 16> matrix{};
  LandmarksToTransformMatrix(options, landmarks, 2, matrix);
  const std::vector<float> middle = {8, 4};
  std::vector<float> moved(2);
  TransformLandmarks(middle, 2, matrix, moved);
  EXPECT_THAT(moved, Pointwise(FloatNear(1e-4F), {20, 30}));
}

TEST(TransformTensorBilinear, CopiesUnderTheIdentity) {
  const std::vector<float> input = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<float> output(input.size());
  TransformTensorBilinear(input, {2, 3, 2}, kIdentity, output, {2, 3, 2});
  EXPECT_EQ(output, input);
}

TEST(TransformTensorBilinear, BlendsFourNeighbours) {
  const std::vector<float> input = {0, 4, 8, 16};
  std::vector<float> output(1);
  // The centre of the one pixel of the crop, (0.5, 0.5), lies at (0.75, 1.0): between pixel centres
  // a quarter to the right and half down.
  TransformTensorBilinear(input, {2, 2, 1}, Translation(0.25F, 0.5F), output, {1, 1, 1});
  EXPECT_THAT(output, ElementsAre(FloatNear((0 + 1) / 2.0F + (8 + 2) / 2.0F, 1e-6F)));
}

TEST(TransformTensorBilinear, IsZeroOutsideTheOutermostPixelCentres) {
  const std::vector<float> input = {1, 1, 1, 1};
  std::vector<float> output(4, 7);
  TransformTensorBilinear(input, {2, 2, 1}, Translation(-0.25F, 0), output, {2, 2, 1});
  EXPECT_THAT(output, ElementsAre(0, 1, 0, 1));
}

TEST(TransformTensorBilinear, IncludesTheLastPixel) {
  const std::vector<float> input = {1, 2, 3, 4};
  std::vector<float> output(1);
  TransformTensorBilinear(input, {2, 2, 1}, Translation(1, 1), output, {1, 1, 1});
  EXPECT_THAT(output, ElementsAre(4));
}

TEST(TransformTensorBilinear, IsZeroUnderAMatrixThatIsNoNumber) {
  const std::vector<float> input = {1, 2, 3, 4};
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity(), 1e30F, -1e30F}) {
    std::vector<float> output(4, 7);
    TransformTensorBilinear(input, {2, 2, 1}, Translation(bad, 0), output, {2, 2, 1});
    EXPECT_THAT(output, Each(0));
  }
}

TEST(TransformLandmarks, MovesXAndYAndCopiesZ) {
  const std::array<float, 16> matrix = {2, 1, 9, 10, 3, -1, 9, 20, 9, 9, 9, 9, 9, 9, 9, 9};
  const std::vector<float> landmarks = {1, 2, 5, 3, 4, 6};
  std::vector<float> output(6);
  TransformLandmarks(landmarks, 3, matrix, output);
  EXPECT_THAT(output, ElementsAre(2 + 2 + 10, 3 - 2 + 20, 5, 6 + 4 + 10, 9 - 4 + 20, 6));
}

TEST(TransformLandmarks, TakesTwoDimensions) {
  const std::vector<float> landmarks = {1, 2, 3, 4};
  std::vector<float> output(4);
  TransformLandmarks(landmarks, 2, Translation(10, 20), output);
  EXPECT_THAT(output, ElementsAre(11, 22, 13, 24));
}

TEST(CopySlice, TakesTheFirstChannels) {
  const std::vector<float> input = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<float> output(8);
  CopySlice(input.data(), {1, 2, 2, 3}, {0, 0, 0, 0}, output.data(), {1, 2, 2, 2});
  EXPECT_THAT(output, ElementsAre(1, 2, 4, 5, 7, 8, 10, 11));
}

TEST(CopySlice, TakesABoxFromTheMiddle) {
  std::vector<float> input(2 * 3 * 4);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
  std::vector<float> output(4);
  CopySlice(input.data(), {2, 3, 4}, {1, 1, 2}, output.data(), {1, 2, 2});
  EXPECT_THAT(output, ElementsAre(18, 19, 22, 23));
}

TEST(CopyRuns, InterleavesWithItsNeighbours) {
  const std::vector<float> left = {1, 2, 3, 4};
  const std::vector<float> right = {5, 6};
  std::vector<float> output(6);
  CopyRuns(left.data(), 2, 2, output.data(), 3);
  CopyRuns(right.data(), 2, 1, output.data() + 2, 3);
  EXPECT_THAT(output, ElementsAre(1, 2, 5, 3, 4, 6));
}

}  // namespace
}  // namespace holostat::engine
