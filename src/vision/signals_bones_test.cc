#include "vision/signals_bones.h"

#include <gtest/gtest.h>

#include <limits>

#include "vision/signals.h"
#include "vision/signals_body.h"
#include "vision/test_bodies.h"
#include "vision/test_faces.h"

namespace holostat::vision {
namespace {

Quaternion X(double deg) { return AboutAxis({1, 0, 0}, deg / kDegrees); }
Quaternion Y(double deg) { return AboutAxis({0, 1, 0}, deg / kDegrees); }
Quaternion Z(double deg) { return AboutAxis({0, 0, 1}, deg / kDegrees); }

// Someone who does something with every limb that landmarks can tell without doubt.
Pose BusyPose() {
  Pose pose;
  const auto at = [&](Bone bone) -> Quaternion& { return pose[IndexOf(bone)]; };
  at(Bone::kHips) = Y(25) * Z(5);
  at(Bone::kSpine) = Y(5);
  at(Bone::kChest) = Y(5);
  at(Bone::kLeftUpperArm) = Z(-60) * Y(20) * X(15);
  at(Bone::kLeftLowerArm) = Y(-80);
  at(Bone::kRightUpperArm) = Z(40) * Y(-10) * X(-25);
  at(Bone::kRightLowerArm) = Y(110);
  at(Bone::kLeftUpperLeg) = X(-60) * Z(10) * Y(12);
  at(Bone::kLeftLowerLeg) = X(75);
  at(Bone::kRightUpperLeg) = X(20) * Z(-8);
  at(Bone::kRightLowerLeg) = X(50);
  at(Bone::kLeftFoot) = X(-20);
  at(Bone::kRightFoot) = Y(-5) * X(15);
  at(Bone::kLeftHand) = Z(-30);
  at(Bone::kRightHand) = Z(15);
  at(Bone::kNeck) = Y(-15) * X(5);
  at(Bone::kHead) = Y(-15) * X(5);
  return pose;
}

BoneRotations BonesOf(const Person& person) { return SignalsOf(person, 640, 480).bones; }

double Off(const BoneRotations& bones, Bone bone, const Pose& truth) {
  const auto& rotation = bones[IndexOf(bone)];
  return rotation ? AngleDegrees(*rotation, truth[IndexOf(bone)]) : 360;
}

constexpr std::array kBody{
    Bone::kHips,          Bone::kSpine,        Bone::kChest,         Bone::kLeftShoulder,
    Bone::kLeftUpperArm,  Bone::kLeftLowerArm, Bone::kLeftHand,      Bone::kLeftUpperLeg,
    Bone::kLeftLowerLeg,  Bone::kLeftFoot,     Bone::kRightShoulder, Bone::kRightUpperArm,
    Bone::kRightLowerArm, Bone::kRightHand,    Bone::kRightUpperLeg, Bone::kRightLowerLeg,
    Bone::kRightFoot,     Bone::kNeck,         Bone::kHead};

TEST(BoneRotations, OfTheRestPoseAreNone) {
  const Doll doll{Pose()};
  const BoneRotations bones = BonesOf(doll.person());
  for (const Bone bone : kBody)
    EXPECT_LT(Off(bones, bone, Pose()), 0.1) << kBoneNames[IndexOf(bone)];
}

TEST(BoneRotations, AreThoseThatTheDollWasPosedBy) {
  const Pose pose = BusyPose();
  const BoneRotations bones = BonesOf(Doll(pose).person());
  for (const Bone bone : kBody) EXPECT_LT(Off(bones, bone, pose), 0.1) << kBoneNames[IndexOf(bone)];
}

TEST(BoneRotations, APalmTurnsByTheForearmAndTheWristAlike) {
  Pose pose = BusyPose();
  pose[IndexOf(Bone::kLeftHand)] = X(80);
  const BoneRotations bones = BonesOf(Doll(pose).person());
  EXPECT_LT(AngleDegrees(*bones[IndexOf(Bone::kLeftLowerArm)],
                         pose[IndexOf(Bone::kLeftLowerArm)] * X(40)),
            0.1);
  EXPECT_LT(AngleDegrees(*bones[IndexOf(Bone::kLeftHand)], X(40)), 0.1);
}

TEST(BoneRotations, FingersTurnAgainstTheirHand) {
  std::array<Quaternion, kFingerBoneCount> fingers;
  fingers[3] = Z(-50);  // the index finger bends down, towards the palm
  fingers[4] = Z(-70);
  fingers[9] = Y(10) * Z(-20);  // ring
  Person person = Doll(BusyPose()).person();
  person.left_hand = DollHand(1, X(30) * Y(20), fingers);
  const BoneRotations bones = BonesOf(person);
  const auto at = [&](std::size_t i) { return bones[IndexOf(Bone::kLeftFingers) + i]; };
  for (const std::size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 10u, 12u}) {
    ASSERT_TRUE(at(i)) << i;
    EXPECT_LT(AngleDegrees(*at(i), fingers[i]), 0.1) << i;
  }
  EXPECT_NEAR(AngleDegrees(at(9)->Rotate({1, 0, 0}), fingers[9].Rotate({1, 0, 0})), 0, 0.1)
      << "points where it should; its twist is not told";
  EXPECT_FALSE(bones[IndexOf(Bone::kRightFingers)]);
  EXPECT_LT(AngleDegrees((*bones[IndexOf(Bone::kHips)] * *bones[IndexOf(Bone::kSpine)] *
                          *bones[IndexOf(Bone::kChest)] * *bones[IndexOf(Bone::kLeftShoulder)] *
                          *bones[IndexOf(Bone::kLeftUpperArm)] *
                          *bones[IndexOf(Bone::kLeftLowerArm)] * *bones[IndexOf(Bone::kLeftHand)]),
                         X(30) * Y(20)),
            0.1)
      << "the hand is turned as its own landmarks say, not the body's";
}

Quaternion Mirrored(const Quaternion& q) { return {q.w, q.x, -q.y, -q.z}; }

TEST(BoneRotations, AreMirroredByAMirror) {
  Person person = Doll(BusyPose()).person();
  std::array<Quaternion, kFingerBoneCount> fingers;
  fingers[4] = Z(-40);
  person.left_hand = DollHand(1, X(30) * Y(20), fingers);
  Person mirror = person;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    mirror.pose_world_landmarks[i] = person.pose_world_landmarks[BodyPoints::OtherSide(i)];
    mirror.pose_world_landmarks[i].x *= -1;
  }
  mirror.right_hand = person.left_hand;
  mirror.left_hand.reset();
  for (Landmark& point : mirror.right_hand->world_landmarks) point.x *= -1;
  const BoneRotations one = BonesOf(person), other = BonesOf(mirror);
  for (std::size_t i = 0; i < kBoneCount; ++i) {
    std::string name(kBoneNames[i]);
    if (name.starts_with("left"))
      name.replace(0, 4, "right");
    else if (name.starts_with("right"))
      name.replace(0, 5, "left");
    const auto at =
        static_cast<std::size_t>(std::ranges::find(kBoneNames, name) - kBoneNames.begin());
    ASSERT_EQ(one[i].has_value(), other[at].has_value()) << name;
    if (!one[i]) continue;
    EXPECT_LT(AngleDegrees(*one[i], Mirrored(*other[at])), 1e-3) << name;
  }
}

TEST(BoneRotations, AStraightElbowLeapsNoFurtherThanItsNoise) {
  // The plane of a straight arm is noise: the twist must not follow it.
  Pose pose;
  pose[IndexOf(Bone::kLeftLowerArm)] = Y(-3);
  const BoneRotations one = BonesOf(Doll(pose).person());
  pose[IndexOf(Bone::kLeftLowerArm)] = Y(3);
  const BoneRotations other = BonesOf(Doll(pose).person());
  const auto arm = IndexOf(Bone::kLeftUpperArm);
  EXPECT_LT(AngleDegrees(*one[arm], *other[arm]), 1);
}

TEST(BoneRotations, WhatIsNotSeenIsAbsentAndSoIsWhatHangsOnIt) {
  Person person = Doll(BusyPose()).person();
  person.pose_world_landmarks[13].visibility = 0.2f;  // left elbow
  person.pose_world_landmarks[26].visibility = 0.2f;  // right knee
  const BoneRotations bones = BonesOf(person);
  for (const Bone bone : {Bone::kLeftUpperArm, Bone::kLeftLowerArm, Bone::kLeftHand,
                          Bone::kRightUpperLeg, Bone::kRightFoot, Bone::kLeftEye})
    EXPECT_FALSE(bones[IndexOf(bone)]) << kBoneNames[IndexOf(bone)];
  for (const Bone bone : {Bone::kLeftShoulder, Bone::kRightHand, Bone::kLeftFoot})
    EXPECT_TRUE(bones[IndexOf(bone)]) << kBoneNames[IndexOf(bone)];
}

TEST(BoneRotations, HipsThatAreNotSeenTurnAsTheChest) {
  Person person = Doll(BusyPose()).person();
  person.pose_world_landmarks[23].visibility = 0;
  const BoneRotations bones = BonesOf(person);
  ASSERT_TRUE(bones[IndexOf(Bone::kHips)]);
  EXPECT_LT(Off(bones, Bone::kSpine, Pose()), 1e-3);
  EXPECT_TRUE(bones[IndexOf(Bone::kLeftHand)]);
}

TEST(BoneRotations, OfNothingAreNothing) {
  for (const auto& bone : BonesOf(Person())) EXPECT_FALSE(bone);
  Person broken = Doll(Pose()).person();
  for (auto& point : broken.pose_world_landmarks) point.x = std::numeric_limits<float>::infinity();
  for (const auto& bone : BonesOf(broken)) EXPECT_FALSE(bone);
  Person point = Doll(Pose()).person();  // all in one place
  for (auto& p : point.pose_world_landmarks) p.x = p.y = p.z = 0;
  for (const auto& bone : BonesOf(point)) EXPECT_FALSE(bone);
}

TEST(BoneRotations, TheHeadTurnsAsItsFaceWherePerspectiveIsLeftOut) {
  Person person = Doll(Pose()).person();
  person.face = Photograph(CanonicalPoints(), TurnedBy(30, 0, 0), {0, 0, -80});
  const BoneRotations bones = SignalsOf(person, kTestWidth, kTestHeight).bones;
  ASSERT_TRUE(bones[IndexOf(Bone::kHead)]);
  EXPECT_LT(AngleDegrees(*bones[IndexOf(Bone::kNeck)] * *bones[IndexOf(Bone::kHead)], Y(30)), 3);
  ASSERT_TRUE(bones[IndexOf(Bone::kLeftEye)]);
  EXPECT_LT(AngleDegrees(*bones[IndexOf(Bone::kLeftEye)], Quaternion()), 1.5);
}

}  // namespace
}  // namespace holostat::vision
