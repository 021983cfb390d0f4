#include "vision/track_state.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/heap_calls.h"

namespace holostat::vision {
namespace {

using std::chrono::microseconds;

constexpr ImageSize kImage{1000, 500};
constexpr microseconds kStep{33333};

Pose PoseAt(float x) {
  Pose pose;
  pose.landmarks.fill({x, 0.5f, 0, 1, 1});
  pose.anchors = {{{x, 0.6f, 0, 1, 1}, {x, 0.1f, 0, 1, 1}}};
  return pose;
}

// A hand upright around a point, which HandRegion places in a square of about 200 pixels.
Hand HandAt(float x, float y) {
  Hand hand;
  hand.landmarks.fill({x, y, 0});
  hand.landmarks[0] = {x, y + 0.1f, 0};  // wrist
  for (std::size_t i : {5u, 9u, 13u}) hand.landmarks[i] = {x, y - 0.1f, 0};
  return hand;
}

Face FaceAt(float x, float y) {
  Face face;
  face.count = kFaceMeshCount;
  face.points.fill({x, y, 0});
  face.points[33] = {x - 0.1f, y, 0};
  face.points[263] = {x + 0.1f, y, 0};
  return face;
}

void Follow(TrackState& state, microseconds time, float x) {
  state.Begin(time, kImage);
  Pose pose = PoseAt(x);
  state.FollowBody(pose, {});
  Person person;
  person.left_hand = HandAt(x, 0.5f);
  person.face = FaceAt(x, 0.3f);
  state.FollowParts(person);
}

bool Knows(const TrackState& state) { return state.body().has_value(); }

TEST(TrackState, LooksForTheBodyWhereItsAnchorsPlaceIt) {
  TrackState state;
  EXPECT_FALSE(Knows(state));
  Follow(state, kStep, 0.3f);
  ASSERT_TRUE(Knows(state));
  EXPECT_NEAR(state.body()->x_center, 0.3f, 1e-6f);
  EXPECT_NEAR(state.body()->y_center, 0.6f, 1e-6f);
  EXPECT_NEAR(state.body()->height, 1.25f, 1e-6f);  // twice 0.5 and a quarter
}

TEST(TrackState, ALostBodyIsToBeFoundAgainAndItsPartsToo) {
  TrackState state;
  Follow(state, kStep, 0.3f);
  state.Begin(2 * kStep, kImage);
  state.LoseBody();
  EXPECT_FALSE(Knows(state));
  const NormalizedRect found = HandRegion(HandAt(0.305f, 0.5f).landmarks, kImage);
  EXPECT_EQ(state.ChooseHand(Side::kLeft, found).x_center, found.x_center);
}

TEST(TrackState, APartKeepsItsRegionWhileTheNewOneAgrees) {
  TrackState state;
  Follow(state, kStep, 0.3f);
  state.Begin(2 * kStep, kImage);
  const NormalizedRect before = HandRegion(HandAt(0.3f, 0.5f).landmarks, kImage);
  const NormalizedRect near = HandRegion(HandAt(0.31f, 0.5f).landmarks, kImage);
  const NormalizedRect far = HandRegion(HandAt(0.5f, 0.5f).landmarks, kImage);
  EXPECT_EQ(state.ChooseHand(Side::kLeft, near).x_center, before.x_center);
  EXPECT_EQ(state.ChooseHand(Side::kLeft, far).x_center, far.x_center);
  EXPECT_EQ(state.ChooseHand(Side::kRight, near).x_center, near.x_center) << "there was none";

  // A face keeps its region of 1.5 boxes beside one of two, which leaves no doubt.
  NormalizedRect face = FaceRegion(FaceAt(0.305f, 0.3f).landmarks(), kImage);
  face.width *= 1.3f;
  face.height *= 1.3f;
  EXPECT_NEAR(state.ChooseFace(face).x_center, 0.3f, 1e-6f);
  face.x_center += 0.1f;
  EXPECT_EQ(state.ChooseFace(face).x_center, face.x_center);
}

TEST(TrackState, APartMissingForAFrameIsFoundAnew) {
  TrackState state;
  Follow(state, kStep, 0.3f);
  state.Begin(2 * kStep, kImage);
  state.FollowParts(Person{});
  const NormalizedRect near = HandRegion(HandAt(0.31f, 0.5f).landmarks, kImage);
  EXPECT_EQ(state.ChooseHand(Side::kLeft, near).x_center, near.x_center);
}

TEST(TrackState, SmoothsLandmarksOnlyWhenAsked) {
  for (bool smooth : {true, false}) {
    TrackState state({.smooth_landmarks = smooth});
    Follow(state, kStep, 0.3f);
    state.Begin(2 * kStep, kImage);
    Pose pose = PoseAt(0.301f);
    state.FollowBody(pose, {});
    EXPECT_EQ(pose.landmarks[0].x < 0.3009f, smooth);
  }
}

TEST(TrackState, SmoothsMasksOnlyWhenAsked) {
  for (bool smooth : {true, false}) {
    TrackState state({.smooth_segmentation = smooth});
    std::vector<float> values(std::size_t{kMaskSize} * kMaskSize, 0.2f);
    for (int frame = 1; frame <= 2; ++frame) {
      state.Begin(frame * kStep, kImage);
      Pose pose = PoseAt(0.3f);
      pose.mask = SegmentationMask{values, {1, 0, 0, 0, 1, 0}};
      state.FollowBody(pose, values);
      if (frame == 1) values.assign(values.size(), 0.5f);
    }
    EXPECT_EQ(values[1000] < 0.4f, smooth);
  }
}

TEST(TrackState, AResetIsAsNew) {
  TrackState state;
  Follow(state, std::chrono::seconds(100), 0.3f);
  state.Reset();
  EXPECT_FALSE(Knows(state));
  state.Begin(microseconds(0), kImage);
  Pose pose = PoseAt(0.7f);
  state.FollowBody(pose, {});
  EXPECT_FLOAT_EQ(pose.landmarks[0].x, 0.7f);
}

TEST(TrackState, MovesWithoutAHeapCallAndGoesOn) {
  TrackState state;
  Follow(state, kStep, 0.3f);
  const auto before = HeapCalls();
  TrackState moved(std::move(state));
  Follow(moved, 2 * kStep, 0.3f);
  EXPECT_EQ(HeapCalls() - before, 0u);
  EXPECT_TRUE(Knows(moved));
}

}  // namespace
}  // namespace holostat::vision
