#include "vision/body_match.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holostat::vision {
namespace {

constexpr ImageSize kImage{1000, 500};

// Its landmarks on a ring around the hips, `size` pixels from which it reaches.
Pose BodyAt(float x, float y, float size, float visibility = 1) {
  Pose pose;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    const float angle = static_cast<float>(i);
    pose.landmarks[i] = {(x + size * std::cos(angle)) / 1000, (y + size * std::sin(angle)) / 500, 0,
                         visibility, 1};
  }
  pose.anchors = {{{x / 1000, y / 500, 0, 1, 1}, {x / 1000, (y - size) / 500, 0, 1, 1}}};
  return pose;
}

TEST(BodyMatch, APlaceIsInPixels) {
  const BodyPlace place = PlaceOf(BodyAt(300, 200, 100), kImage);
  EXPECT_NEAR(place.hips.x, 300, 1e-3);
  EXPECT_NEAR(place.hips.y, 200, 1e-3);
  EXPECT_NEAR(place.size, 100, 1e-3);
  Detection detection;
  detection.keypoints[kPoseHipCenter] = {0.3f, 0.4f};
  detection.keypoints[kPoseFullBodyScale] = {0.3f, 0.2f};
  EXPECT_NEAR(DistanceOf(place, PlaceOf(detection, kImage)), 0, 1e-4);
}

TEST(BodyMatch, NeighboursAreNotOneAndADuplicateIs) {
  const Pose body = BodyAt(300, 200, 100);
  EXPECT_NEAR(SimilarityOf(body, body, kImage), 1, 1e-5);
  EXPECT_TRUE(IsSameBody(body, BodyAt(305, 203, 104), kImage));
  EXPECT_FALSE(IsSameBody(body, BodyAt(330, 200, 100), kImage)) << "shoulder to shoulder";
  EXPECT_FALSE(IsSameBody(body, BodyAt(300, 200, 50), kImage)) << "a child before it";
}

TEST(BodyMatch, LooksAtThePointsThatBothShow) {
  const Pose body = BodyAt(300, 200, 100);
  Pose other = BodyAt(300, 200, 100);
  for (std::size_t i = 20; i < kPoseLandmarkCount; ++i) {
    other.landmarks[i].x += 0.1f;
    other.landmarks[i].visibility = 0;
  }
  EXPECT_TRUE(IsSameBody(body, other, kImage)) << "its legs are a guess";
  EXPECT_TRUE(IsSameBody(BodyAt(300, 200, 100, 0), BodyAt(301, 200, 100, 0), kImage));
}

TEST(BodyMatch, NonsenseIsNothingElse) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Pose body = BodyAt(300, 200, 100);
  for (const Pose& odd : {BodyAt(nan, 200, 100), BodyAt(300, 200, 0), BodyAt(300, 200, nan)}) {
    EXPECT_FALSE(IsSameBody(body, odd, kImage));
    EXPECT_FALSE(IsSameBody(odd, odd, kImage));
  }
  EXPECT_FALSE(IsAt(PlaceOf(BodyAt(nan, 0, 100), kImage), PlaceOf(body, kImage)));
}

TEST(BodyMatch, ADetectionIsOfTheBodyWhoseHipsItIsAt) {
  const BodyPlace body{{300, 200}, 100};
  EXPECT_TRUE(IsAt({{310, 205}, 90}, body));
  EXPECT_FALSE(IsAt({{340, 200}, 100}, body));
}

}  // namespace
}  // namespace holostat::vision
