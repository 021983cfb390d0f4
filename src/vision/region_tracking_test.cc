#include "vision/region_tracking.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace holostat::vision {
namespace {

constexpr ImageSize kImage{1000, 500};
// A square of 200 pixels in the middle.
constexpr NormalizedRect kFound{0.5f, 0.5f, 0.2f, 0.4f, 0};
constexpr std::array<Landmark, 1> kCenter = {{{0.5f, 0.5f, 0}}};

bool Holds(const NormalizedRect& before, const NormalizedRect& found = kFound,
           std::span<const Landmark> landmarks = kCenter) {
  return StillHolds(before, landmarks, found, kHandLimits, kImage);
}

float Radians(float degrees) { return degrees * static_cast<float>(std::numbers::pi / 180); }

NormalizedRect Turned(NormalizedRect rect, float degrees) {
  rect.rotation = NormalizeRadians(Radians(degrees));
  return rect;
}

TEST(RegionTracking, TheSameRegionHolds) { EXPECT_TRUE(Holds(kFound)); }

TEST(RegionTracking, HoldsUntilItTurnsTooFar) {
  EXPECT_TRUE(Holds(Turned(kFound, 39.9f)));
  EXPECT_TRUE(Holds(Turned(kFound, -39.9f)));
  EXPECT_FALSE(Holds(Turned(kFound, 40.1f)));
}

TEST(RegionTracking, AnglesOnBothSidesOfHalfATurnAreNear) {
  EXPECT_TRUE(Holds(Turned(kFound, 175), Turned(kFound, -170)));
  EXPECT_FALSE(Holds(Turned(kFound, 175), Turned(kFound, -140)));
}

TEST(RegionTracking, HoldsUntilItMovesTooFar) {
  for (auto [x, y, holds] : {std::tuple{0.5399f, 0.5f, true},
                             {0.5401f, 0.5f, false},
                             {0.4601f, 0.5f, true},
                             {0.4599f, 0.5f, false},
                             {0.5f, 0.5799f, true},
                             {0.5f, 0.5801f, false}}) {
    EXPECT_EQ(Holds({x, y, 0.2f, 0.4f, 0}), holds) << x << " " << y;
  }
}

TEST(RegionTracking, AMoveIsMeasuredInTheAxesOfTheNewRegion) {
  // 35 pixels right and as many down are 49.5 along an axis turned by 45 degrees, and none along
  // the other.
  const NormalizedRect moved{0.535f, 0.57f, 0.2f, 0.4f, 0};
  EXPECT_TRUE(Holds(moved));
  EXPECT_FALSE(Holds(Turned(moved, 45), Turned(kFound, 45)));
}

TEST(RegionTracking, HoldsUntilItGrowsOrShrinksTooFar) {
  for (auto [scale, holds] :
       {std::pair{1.39f, true}, {1.41f, false}, {0.61f, true}, {0.59f, false}})
    EXPECT_EQ(Holds({0.5f, 0.5f, 0.2f * scale, 0.4f * scale, 0}), holds) << scale;
}

TEST(RegionTracking, AllOldLandmarksMustLieWellInside) {
  // Inside means less than 90 pixels from the middle.
  for (auto [x, y, holds] : {std::tuple{0.589f, 0.5f, true},
                             {0.591f, 0.5f, false},
                             {0.409f, 0.5f, false},
                             {0.5f, 0.679f, true},
                             {0.5f, 0.681f, false}}) {
    const std::array<Landmark, 2> points = {{{0.5f, 0.5f, 0}, {x, y, 0}}};
    EXPECT_EQ(Holds(kFound, kFound, points), holds) << x << " " << y;
  }
}

TEST(RegionTracking, FacesAreHeldMoreTightlyThanHands) {
  const NormalizedRect moved{0.53f, 0.5f, 0.2f, 0.4f, 0};
  EXPECT_TRUE(StillHolds(moved, kCenter, kFound, kHandLimits, kImage));
  EXPECT_FALSE(StillHolds(moved, kCenter, kFound, kFaceLimits, kImage));
}

TEST(RegionTracking, WhatIsUndefinedDoesNotHold) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Holds({kNan, 0.5f, 0.2f, 0.4f, 0}));
  EXPECT_FALSE(Holds({0.5f, 0.5f, kNan, 0.4f, 0}));
  EXPECT_FALSE(Holds({0.5f, 0.5f, 0.2f, 0.4f, kNan}));
  EXPECT_FALSE(Holds(kFound, {0.5f, kNan, 0.2f, 0.4f, 0}));
  const std::array<Landmark, 1> nowhere = {{{kNan, 0.5f, 0}}};
  EXPECT_FALSE(Holds(kFound, kFound, nowhere));
}

}  // namespace
}  // namespace holostat::vision
