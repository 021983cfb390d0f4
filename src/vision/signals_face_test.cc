#include "vision/signals_face.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/heap_calls.h"
#include "vision/signals.h"
#include "vision/test_faces.h"

namespace holostat::vision {
namespace {

constexpr Vec3 kAhead{0, 0, -60};

Signals SignalsOfFace(const Face& face) {
  Person person;
  person.face = face;
  return SignalsOf(person, kTestWidth, kTestHeight);
}

Signals SignalsOfPoints(const std::array<Vec3, kFaceRefinedCount>& points,
                        const Quaternion& turn = {}, const Vec3& place = kAhead) {
  return SignalsOfFace(Photograph(points, turn, place));
}

TEST(HeadPose, IsThatByWhichTheFaceWasTurned) {
  double worst = 0, worst_place = 0;
  for (const double yaw : {-50.0, -20.0, 0.0, 35.0}) {
    for (const double pitch : {-30.0, 0.0, 25.0}) {
      for (const double roll : {-40.0, 0.0, 90.0}) {
        for (const Vec3& place : {kAhead, Vec3{20, -10, -50}, Vec3{-40, 25, -200}}) {
          const Signals signals =
              SignalsOfPoints(CanonicalPoints(), TurnedBy(yaw, pitch, roll), place);
          ASSERT_TRUE(signals.head);
          worst = std::max({worst, std::abs(signals.head->yaw_deg - yaw),
                            std::abs(signals.head->pitch_deg - pitch),
                            std::abs(signals.head->roll_deg - roll)});
          const auto& m = signals.head->matrix;
          worst_place =
              std::max(worst_place, Length(Vec3{m[3], m[7], m[11]} - place) / Length(place));
        }
      }
    }
  }
  RecordProperty("worst_deg", std::to_string(worst));
  EXPECT_LT(worst, 0.01) << "degrees";
  EXPECT_LT(worst_place, 1e-4) << "of the distance";
}

TEST(HeadPose, MatrixTakesTheCanonicalFaceToTheCamera) {
  const Signals signals = SignalsOfPoints(CanonicalPoints(), TurnedBy(30, 10, -20), {5, 4, -70});
  ASSERT_TRUE(signals.head);
  const auto& m = signals.head->matrix;
  const Vec3 nose = CanonicalPoints()[4];
  const Vec3 expected = TurnedBy(30, 10, -20).Rotate(nose) + Vec3{5, 4, -70};
  const Vec3 got{m[0] * nose.x + m[1] * nose.y + m[2] * nose.z + m[3],
                 m[4] * nose.x + m[5] * nose.y + m[6] * nose.z + m[7],
                 m[8] * nose.x + m[9] * nose.y + m[10] * nose.z + m[11]};
  EXPECT_LT(Length(got - expected), 0.01) << "cm";
  EXPECT_EQ(m[15], 1);
}

TEST(FaceSignals, DoNotChangeWithTheHead) {
  const auto still = SignalsOfPoints(CanonicalPoints()).face;
  const auto turned = SignalsOfPoints(CanonicalPoints(), TurnedBy(35, -15, 20), {15, 8, -45}).face;
  ASSERT_TRUE(still && turned);
  EXPECT_NEAR(turned->left.openness, still->left.openness, 0.01);
  EXPECT_NEAR(turned->right.brow, still->right.brow, 0.01);
  EXPECT_NEAR(turned->mouth_openness, still->mouth_openness, 0.01);
  ASSERT_TRUE(turned->left.gaze);
  EXPECT_NEAR(turned->left.gaze->yaw_deg, still->left.gaze->yaw_deg, 1);
}

TEST(FaceSignals, AnEyeThatShutsHasNoGap) {
  auto points = CanonicalPoints();
  EXPECT_NEAR(SignalsOfPoints(points).face->left.openness, 0.24, 0.02);
  for (const auto& [upper, lower] : {std::pair(386, 374), std::pair(385, 380), std::pair(387, 373)})
    points[static_cast<std::size_t>(upper)] = points[static_cast<std::size_t>(lower)];
  const auto face = SignalsOfPoints(points).face;
  EXPECT_NEAR(face->left.openness, 0, 0.01);
  EXPECT_NEAR(face->right.openness, 0.24, 0.02) << "the other one is open";
  EXPECT_FALSE(face->left.gaze);
  EXPECT_TRUE(face->right.gaze);
}

TEST(FaceSignals, AMouthThatOpensHasAGap) {
  auto points = CanonicalPoints();
  const double shut = SignalsOfPoints(points).face->mouth_openness;
  points[14].y -= 2;
  EXPECT_GT(SignalsOfPoints(points).face->mouth_openness, shut + 0.3);
}

TEST(FaceSignals, ABrowThatRisesIsHigher) {
  auto points = CanonicalPoints();
  const auto still = SignalsOfPoints(points).face;
  for (const std::size_t index : {70u, 63u, 105u, 66u, 107u}) points[index].y += 0.5;
  const auto raised = SignalsOfPoints(points).face;
  EXPECT_GT(raised->right.brow, still->right.brow + 0.03);
  EXPECT_NEAR(raised->left.brow, still->left.brow, 0.005);
}

TEST(FaceSignals, TheGazeIsThatOfAnEyeballOfTwelveMillimetres) {
  auto points = CanonicalPoints();
  const auto ahead = SignalsOfPoints(points).face;
  ASSERT_TRUE(ahead->left.gaze && ahead->right.gaze);
  EXPECT_NEAR(ahead->left.gaze->yaw_deg, 0, 0.5);
  EXPECT_NEAR(ahead->left.gaze->pitch_deg, 0, 0.5);
  for (std::size_t i = 468; i < 478; ++i) points[i] = points[i] + Vec3{0.6, -0.3, 0};
  const auto aside = SignalsOfPoints(points, TurnedBy(-20, 10, 0)).face;
  for (const EyeSignals& eye : {aside->left, aside->right}) {
    ASSERT_TRUE(eye.gaze);
    EXPECT_NEAR(eye.gaze->yaw_deg, 30, 1) << "to the person's left";
    EXPECT_NEAR(eye.gaze->pitch_deg, -14.5, 1);
  }
}

TEST(FaceSignals, AreMirroredByAMirror) {
  auto points = CanonicalPoints();
  for (const std::size_t index : {386u, 385u, 387u}) points[index].y -= 0.2;  // a half-shut left
  for (std::size_t i = 468; i < 478; ++i) points[i] = points[i] + Vec3{0.4, 0.1, 0};
  points[300].y += 0.6;
  points[14].y -= 1;
  const Face face = Photograph(points, TurnedBy(25, 12, -15), {8, 3, -55});
  const Signals one = SignalsOfFace(face), other = SignalsOfFace(Mirrored(face, MirrorOfFace()));
  ASSERT_TRUE(one.head && other.head && one.face && other.face);
  EXPECT_NEAR(one.head->yaw_deg, -other.head->yaw_deg, 0.1);
  EXPECT_NEAR(one.head->pitch_deg, other.head->pitch_deg, 0.1);
  EXPECT_NEAR(one.head->roll_deg, -other.head->roll_deg, 0.1);
  EXPECT_NEAR(one.face->left.openness, other.face->right.openness, 0.005);
  EXPECT_NEAR(one.face->right.openness, other.face->left.openness, 0.005);
  EXPECT_NEAR(one.face->left.brow, other.face->right.brow, 0.005);
  EXPECT_NEAR(one.face->mouth_openness, other.face->mouth_openness, 0.005);
  EXPECT_NEAR(one.face->left.gaze->yaw_deg, -other.face->right.gaze->yaw_deg, 0.3);
  EXPECT_NEAR(one.face->left.gaze->pitch_deg, other.face->right.gaze->pitch_deg, 0.3);
}

TEST(FaceSignals, OfNoFaceOrABrokenOneAreAbsent) {
  EXPECT_FALSE(SignalsOf(Person(), 640, 480).head);
  Face point;  // all landmarks in one place
  point.count = kFaceRefinedCount;
  EXPECT_FALSE(SignalsOfFace(point).face);
  Face broken = Photograph(CanonicalPoints(), {}, kAhead);
  broken.points[200].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(SignalsOfFace(broken).head);
  Person person;
  person.face = Photograph(CanonicalPoints(), {}, kAhead);
  EXPECT_FALSE(SignalsOf(person, 0, 480).head);
}

TEST(FaceSignals, HaveNoGazeWithoutIrises) {
  Face face = Photograph(CanonicalPoints(), {}, kAhead);
  face.count = kFaceMeshCount;
  const Signals signals = SignalsOfFace(face);
  ASSERT_TRUE(signals.face);
  EXPECT_FALSE(signals.face->left.gaze);
}

TEST(Signals, MakeNoHeapCall) {
  Person person;
  person.face = Photograph(CanonicalPoints(), TurnedBy(10, 0, 0), kAhead);
  person.left_hand.emplace();
  const auto before = HeapCalls();
  const Signals signals = SignalsOf(person, kTestWidth, kTestHeight);
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_TRUE(signals.head);
}

}  // namespace
}  // namespace holostat::vision
