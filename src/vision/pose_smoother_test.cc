#include "vision/pose_smoother.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holostat::vision {
namespace {

using std::chrono::microseconds;

constexpr ImageSize kImage{1000, 500};
constexpr microseconds kStep{33333};

struct Body {
  std::array<PoseLandmark, kPoseLandmarkCount> landmarks{};
  std::array<PoseLandmark, kPoseLandmarkCount> world_landmarks{};
  std::array<PoseLandmark, kPoseAnchorCount> anchors{};
  PoseSmoother::Points points() { return {landmarks, world_landmarks, anchors}; }
};

// All points there, and anchors 250 pixels apart: a body of 500.
Body BodyAt(float x, float y, float visibility = 1) {
  Body body;
  body.landmarks.fill({x, y, x, visibility, 0.25f});
  body.world_landmarks.fill({x, y, x, visibility, 0.25f});
  body.anchors = {{{x, y, 0, 1, 1}, {x + 0.25f, y, 0, 1, 1}}};
  return body;
}

class PoseSmootherTest : public ::testing::Test {
 protected:
  Body Apply(Body body, bool smooth_landmarks = true) {
    smoother_.Apply(now_, kImage, smooth_landmarks, body.points());
    now_ += kStep;
    return body;
  }
  PoseSmoother smoother_;
  microseconds now_ = kStep;
};

TEST_F(PoseSmootherTest, FiltersLandmarksInPixelsByTheSizeOfTheBody) {
  // The reference's series (one_euro_filter_test.cc) for a body of 500 pixels.
  Apply(BodyAt(0.100f, 0.200f));
  Apply(BodyAt(0.101f, 0.202f));
  const PoseLandmark p = Apply(BodyAt(0.110f, 0.220f)).landmarks[7];
  EXPECT_NEAR(p.x * 1000, 106.382431f, 2e-4f);
  EXPECT_NEAR(p.y * 500, 106.382431f, 2e-4f);
  EXPECT_NEAR(p.z * 1000, 106.382431f, 2e-4f);
  EXPECT_EQ(p.presence, 0.25f);
}

TEST_F(PoseSmootherTest, FiltersMetresWithoutScale) {
  constexpr OneEuroParameters kParameters{.min_cutoff = 0.1f, .beta = 40};
  OneEuroFilter filter;
  float expected = 0;
  Body body;
  for (float x : {0.1f, 0.2f, 0.25f}) {
    expected = filter.Apply(kParameters, 33333e-6, 1, x);
    body = Apply(BodyAt(x, 0));
  }
  EXPECT_NEAR(body.world_landmarks[3].x, expected, 1e-6f);
}

TEST_F(PoseSmootherTest, VisibilityFallsByATenthAFrameInBothViews) {
  Apply(BodyAt(0, 0, 1));
  const Body body = Apply(BodyAt(0, 0, 0));
  EXPECT_FLOAT_EQ(body.landmarks[0].visibility, 0.9f);
  EXPECT_FLOAT_EQ(body.world_landmarks[0].visibility, 0.9f);
}

TEST_F(PoseSmootherTest, AnchorsAreTheSteadiest) {
  Apply(BodyAt(0.1f, 0.2f));
  const Body body = Apply(BodyAt(0.11f, 0.2f));
  EXPECT_GT(body.anchors[0].x, 0.1f);
  EXPECT_LT(body.anchors[0].x, body.landmarks[0].x);
}

TEST_F(PoseSmootherTest, WithoutSmoothingOnlyTheAnchorsAreFiltered) {
  Apply(BodyAt(0.1f, 0.2f, 1), false);
  const Body body = Apply(BodyAt(0.11f, 0.2f, 0), false);
  EXPECT_EQ(body.landmarks[0].x, 0.11f);
  EXPECT_EQ(body.landmarks[0].visibility, 0.0f);
  EXPECT_EQ(body.world_landmarks[0].x, 0.11f);
  EXPECT_LT(body.anchors[0].x, 0.109f);
}

TEST_F(PoseSmootherTest, ALostBodyKeepsOnlyVisibilitiesAndMetres) {
  Apply(BodyAt(0.1f, 0.2f, 1));
  smoother_.Lose();
  const Body body = Apply(BodyAt(0.8f, 0.2f, 0));
  EXPECT_FLOAT_EQ(body.landmarks[0].x, 0.8f);
  EXPECT_FLOAT_EQ(body.anchors[0].x, 0.8f);
  EXPECT_FLOAT_EQ(body.landmarks[0].visibility, 0.9f);
  EXPECT_LT(body.world_landmarks[0].x, 0.79f);
}

TEST_F(PoseSmootherTest, BeginsAnewAfterAReset) {
  Apply(BodyAt(0.1f, 0.2f, 1));
  smoother_.Reset();
  const Body body = Apply(BodyAt(0.8f, 0.2f, 0));
  EXPECT_EQ(body.landmarks[0].visibility, 0.0f);
  EXPECT_EQ(body.world_landmarks[0].x, 0.8f);
}

TEST_F(PoseSmootherTest, ABodyWithoutSizePasses) {
  Apply(BodyAt(0.1f, 0.2f));
  Body body = BodyAt(0.2f, 0.2f);
  body.anchors[1] = body.anchors[0];
  EXPECT_EQ(Apply(body).landmarks[0].x, 0.2f);
}

TEST_F(PoseSmootherTest, AFrameThatIsNotLaterPasses) {
  Apply(BodyAt(0.1f, 0.2f));
  now_ = kStep;
  EXPECT_FLOAT_EQ(Apply(BodyAt(0.2f, 0.2f)).landmarks[0].x, 0.2f);
}

TEST_F(PoseSmootherTest, AFirstFrameAtTimeZeroIsNotRemembered) {
  now_ = microseconds(0);
  Apply(BodyAt(0.1f, 0.2f));
  EXPECT_FLOAT_EQ(Apply(BodyAt(0.2f, 0.2f)).landmarks[0].x, 0.2f) << "the first that counts";
  EXPECT_LT(Apply(BodyAt(0.201f, 0.2f)).landmarks[0].x, 0.2009f);
}

TEST_F(PoseSmootherTest, AFrameOfNonsenseIsForgotten) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  Apply(BodyAt(0.1f, 0.2f));
  Apply(BodyAt(kNan, kNan, kNan));
  const Body body = Apply(BodyAt(0.1f, 0.2f));
  EXPECT_NEAR(body.landmarks[0].x, 0.1f, 1e-6f);
  EXPECT_NEAR(body.world_landmarks[0].x, 0.1f, 1e-6f);
  EXPECT_FLOAT_EQ(body.landmarks[0].visibility, 1.0f);
}

}  // namespace
}  // namespace holostat::vision
