#include "vision/heatmap_refinement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace holostat::vision {
namespace {

constexpr int kSize = 64;
constexpr float kNever = -100;  // logit of a confidence of 0

class HeatmapRefinement : public ::testing::Test {
 protected:
  void Set(int row, int column, float confidence) {
    logits_[static_cast<std::size_t>(row * kSize + column)] =
        std::log(confidence / (1 - confidence));
  }
  PoseLandmark Refine(float x, float y) const {
    std::vector<PoseLandmark> points = {{x, y, 0.25f, 0.5f, 0.75f}};
    RefineFromHeatmap({logits_, kSize, kSize}, points);
    return points[0];
  }
  std::vector<float> logits_ = std::vector<float>(std::size_t{kSize} * kSize, kNever);
};

TEST_F(HeatmapRefinement, MovesToTheCentreOfMassByCellIndex) {
  Set(10, 20, 0.75f);
  Set(12, 22, 0.25f);
  const PoseLandmark p = Refine(20.9f / kSize, 11.2f / kSize);
  EXPECT_NEAR(p.x, 20.5f / kSize, 1e-6);
  EXPECT_NEAR(p.y, 10.5f / kSize, 1e-6);
  EXPECT_EQ(p.z, 0.25f);
  EXPECT_EQ(p.visibility, 0.5f);
  EXPECT_EQ(p.presence, 0.75f);
}

TEST_F(HeatmapRefinement, LooksThreeCellsFar) {
  Set(10, 23, 0.9f);
  EXPECT_NEAR(Refine(20.5f / kSize, 10.5f / kSize).x, 23.0f / kSize, 1e-6);
  const float far = 19.5f / kSize;
  EXPECT_EQ(Refine(far, 10.5f / kSize).x, far);
}

TEST_F(HeatmapRefinement, LeavesThePointWhereTheMapIsUnsure) {
  Set(10, 20, 0.49f);
  const float x = 20.25f / kSize;
  EXPECT_EQ(Refine(x, x).x, x);
}

TEST_F(HeatmapRefinement, LeavesPointsOutsideTheMap) {
  for (int row = 0; row < kSize; ++row) {
    Set(row, 0, 0.9f);
    Set(row, 63, 0.9f);
    Set(0, row, 0.9f);
    Set(63, row, 0.9f);
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (float outside : {1.0f, 1.02f, -1.01f / kSize, 1e30f, -1e30f}) {
    EXPECT_EQ(Refine(outside, 0.5f).x, outside);
    EXPECT_EQ(Refine(0.5f, outside).y, outside);
  }
  EXPECT_TRUE(std::isnan(Refine(nan, 0.5f).x));
}

TEST_F(HeatmapRefinement, TruncatesTowardsZeroAtTheEdge) {
  Set(0, 1, 0.9f);
  EXPECT_NEAR(Refine(-0.9f / kSize, 0.5f / kSize).x, 1.0f / kSize, 1e-6);
}

TEST_F(HeatmapRefinement, EachLandmarkHasItsOwnChannel) {
  std::vector<float> logits(std::size_t{kSize} * kSize * 2, kNever);
  logits[(10 * kSize + 20) * 2 + 1] = 5;
  std::vector<PoseLandmark> points(2, {21.0f / kSize, 10.0f / kSize});
  RefineFromHeatmap({logits, kSize, kSize}, points);
  EXPECT_EQ(points[0].x, 21.0f / kSize);
  EXPECT_NEAR(points[1].x, 20.0f / kSize, 1e-6);
}

}  // namespace
}  // namespace holostat::vision
