#include "vision/normalized_rect.h"

#include <gtest/gtest.h>

#include <numbers>

namespace holostat::vision {
namespace {

constexpr ImageSize kImage{1280, 720};
constexpr float kPi = std::numbers::pi_v<float>;

TEST(NormalizedRect, AnglesAreBroughtIntoOneTurn) {
  EXPECT_FLOAT_EQ(NormalizeRadians(0.5f), 0.5f);
  EXPECT_NEAR(NormalizeRadians(1.5f * kPi), -0.5f * kPi, 1e-6);
  EXPECT_NEAR(NormalizeRadians(-7 * kPi + 0.25f), -kPi + 0.25f, 1e-5);
}

TEST(NormalizedRect, RotationIsClockwiseFromTheTargetDirection) {
  EXPECT_FLOAT_EQ(RotationBetween({0.5f, 0.5f}, {0.5f, 0.1f}, 90, kImage), 0);  // straight up
  EXPECT_FLOAT_EQ(RotationBetween({0.5f, 0.5f}, {0.9f, 0.5f}, 90, kImage), kPi / 2);
  EXPECT_FLOAT_EQ(RotationBetween({0.5f, 0.5f}, {0.5f, 0.9f}, -90, kImage), 0);  // straight down
  // 45 degrees is measured in pixels, not in fractions.
  EXPECT_FLOAT_EQ(RotationBetween({0, 0}, {0.09f, 0.16f}, 0, kImage), kPi / 4);
}

TEST(NormalizedRect, TransformShiftsByTheOldSidesThenSquaresThenScales) {
  const NormalizedRect rect{0.5f, 0.5f, 0.1f, 0.1f, 0};  // 128 x 72 pixels
  const NormalizedRect out = Transformed(rect, {2.0f, 0.5f, -0.1f}, kImage);
  EXPECT_FLOAT_EQ(out.x_center, 0.55f);
  EXPECT_FLOAT_EQ(out.y_center, 0.49f);
  EXPECT_FLOAT_EQ(out.width, 0.2f);
  EXPECT_FLOAT_EQ(out.height, 256.0f / 720);
}

TEST(NormalizedRect, TransformShiftsAlongTheTurnedAxes) {
  const NormalizedRect rect{0.5f, 0.5f, 0.1f, 0.2f, kPi / 2};  // up of the rect is right on screen
  const NormalizedRect out = Transformed(rect, {1.0f, 0, -0.5f}, kImage);
  EXPECT_NEAR(out.x_center, 0.5f + 0.5f * 144 / 1280, 1e-6);
  EXPECT_NEAR(out.y_center, 0.5f, 1e-6);
}

}  // namespace
}  // namespace holostat::vision
