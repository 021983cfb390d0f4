#include "vision/weighted_nms.h"

#include <gtest/gtest.h>

#include <array>

namespace holostat::vision {
namespace {

Detection Box(float x, float y, float width, float height, float score, Point keypoint = {}) {
  Detection d{x, y, width, height, score, {}};
  d.keypoints[0] = keypoint;
  return d;
}

TEST(WeightedNms, OverlapIsIntersectionOverUnion) {
  EXPECT_FLOAT_EQ(OverlapOf(Box(0, 0, 2, 2, 1), Box(1, 0, 2, 2, 1)), 2.0f / 6);
  EXPECT_EQ(OverlapOf(Box(0, 0, 1, 1, 1), Box(1, 0, 1, 1, 1)), 0.0f);  // touching
  EXPECT_EQ(OverlapOf(Box(0, 0, 0, 0, 1), Box(0, 0, 0, 0, 1)), 0.0f);
}

TEST(WeightedNms, BlendsAClusterByScoreAndKeepsTheTopScore) {
  const std::array<Detection, 3> in = {Box(0, 0, 1, 1, 0.5f, {2, 0}), Box(5, 5, 1, 1, 0.6f),
                                       Box(0.2f, 0, 1, 1, 0.75f, {0, 4})};
  std::array<Detection, 4> out;
  WeightedNms nms(3);
  ASSERT_EQ(nms.Run(in, out), 2u);
  EXPECT_EQ(out[0].score, 0.75f);
  EXPECT_FLOAT_EQ(out[0].x_min, 0.12f);
  EXPECT_NEAR(out[0].width, 1.0f, 1e-6f);
  EXPECT_FLOAT_EQ(out[0].keypoints[0].x, 0.8f);
  EXPECT_FLOAT_EQ(out[0].keypoints[0].y, 2.4f);
  EXPECT_EQ(out[1].score, 0.6f);
  EXPECT_FLOAT_EQ(out[1].x_min, 5);
}

TEST(WeightedNms, AnOverlapOfExactlyTheLimitStaysApart) {
  // 6 of 20 shared.
  const Detection a = Box(0, 0, 13, 1, 0.9f), b = Box(7, 0, 13, 1, 0.8f);
  ASSERT_EQ(OverlapOf(a, b), 0.3f);
  std::array<Detection, 2> out;
  EXPECT_EQ(WeightedNms(2).Run(std::array{a, b}, out), 2u);
}

TEST(WeightedNms, OfEqualScoresTheEarlierOneLeads) {
  const std::array<Detection, 2> in = {Box(3, 0, 1, 1, 0.7f), Box(0, 0, 1, 1, 0.7f)};
  std::array<Detection, 2> out;
  ASSERT_EQ(WeightedNms(2).Run(in, out), 2u);
  EXPECT_FLOAT_EQ(out[0].x_min, 3);
}

TEST(WeightedNms, DropsTheLeastSureWhenThereIsNoRoom) {
  const std::array<Detection, 3> in = {Box(0, 0, 1, 1, 0.6f), Box(3, 0, 1, 1, 0.9f),
                                       Box(6, 0, 1, 1, 0.7f)};
  std::array<Detection, 2> out;
  ASSERT_EQ(WeightedNms(3).Run(in, out), 2u);
  EXPECT_EQ(out[0].score, 0.9f);
  EXPECT_EQ(out[1].score, 0.7f);
}

TEST(WeightedNms, StopsAtABoxWithoutArea) {
  const std::array<Detection, 2> in = {Box(0, 0, 0, 0, 0.9f, {1, 1}), Box(3, 0, 1, 1, 0.7f)};
  std::array<Detection, 2> out;
  ASSERT_EQ(WeightedNms(2).Run(in, out), 1u);
  EXPECT_FLOAT_EQ(out[0].keypoints[0].x, 1);
}

TEST(WeightedNms, NothingGivesNothing) {
  std::array<Detection, 2> out;
  EXPECT_EQ(WeightedNms(2).Run({}, out), 0u);
}

}  // namespace
}  // namespace holostat::vision
