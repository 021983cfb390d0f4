#include "vision/projection.h"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "holostat/frame_result.h"

namespace holostat::vision {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

TEST(Projection, LetterboxRemovalStretchesXYAndZ) {
  std::array<Landmark, 1> p{{{0.5f, 0.3f, 0.2f}}};
  RemoveLetterbox({0.25f, 0.1f, 0.25f, 0.1f}, std::span<Landmark>(p));
  EXPECT_FLOAT_EQ(p[0].x, 0.5f);
  EXPECT_FLOAT_EQ(p[0].y, 0.25f);
  EXPECT_FLOAT_EQ(p[0].z, 0.4f);
}

TEST(Projection, LandmarksTurnWithTheRegionAndDepthTakesItsWidth) {
  std::array<PoseLandmark, 1> p{{{1.0f, 0.5f, 0.5f, 0.7f, 0.8f}}};
  ProjectToImage({0.4f, 0.6f, 0.2f, 0.3f, kPi / 2}, std::span<PoseLandmark>(p));
  EXPECT_NEAR(p[0].x, 0.4f, 1e-6);
  EXPECT_NEAR(p[0].y, 0.75f, 1e-6);
  EXPECT_FLOAT_EQ(p[0].z, 0.1f);
  EXPECT_EQ(p[0].visibility, 0.7f);
  EXPECT_EQ(p[0].presence, 0.8f);
}

TEST(Projection, WorldPointsOnlyTurn) {
  std::array<Landmark, 1> p{{{1, 2, 3}}};
  RotateWorld(kPi / 2, std::span<Landmark>(p));
  EXPECT_NEAR(p[0].x, -2, 1e-6);
  EXPECT_NEAR(p[0].y, 1, 1e-6);
  EXPECT_EQ(p[0].z, 3);
}

TEST(Projection, DetectionLosesItsLetterbox) {
  Detection d{0.4f, 0.3f, 0.2f, 0.2f, 0.9f, {}};
  d.keypoints[0] = {0.5f, 0.75f};
  const Detection out = RemoveLetterbox({0, 0.25f, 0, 0.25f}, d);
  EXPECT_FLOAT_EQ(out.x_min, 0.4f);
  EXPECT_FLOAT_EQ(out.y_min, 0.1f);
  EXPECT_FLOAT_EQ(out.width, 0.2f);
  EXPECT_FLOAT_EQ(out.height, 0.4f);
  EXPECT_FLOAT_EQ(out.keypoints[0].y, 1.0f);
  EXPECT_EQ(out.score, 0.9f);
}

TEST(Projection, DetectionBoxBecomesTheUprightHull) {
  const Matrix2x3 quarter_turn = {0, -1, 1, 1, 0, 0};  // (x, y) -> (1 - y, x)
  Detection d{0.1f, 0.2f, 0.3f, 0.1f, 0.9f, {}};
  d.keypoints[0] = {0.25f, 0.5f};
  const Detection out = ProjectToImage(quarter_turn, d);
  EXPECT_FLOAT_EQ(out.x_min, 0.7f);
  EXPECT_FLOAT_EQ(out.y_min, 0.1f);
  EXPECT_NEAR(out.width, 0.1f, 1e-6);
  EXPECT_NEAR(out.height, 0.3f, 1e-6);
  EXPECT_FLOAT_EQ(out.keypoints[0].x, 0.5f);
  EXPECT_FLOAT_EQ(out.keypoints[0].y, 0.25f);
}

}  // namespace
}  // namespace holostat::vision
