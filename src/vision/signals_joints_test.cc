#include "vision/signals_joints.h"

#include <gtest/gtest.h>

#include "vision/test_bodies.h"

namespace holostat::vision {
namespace {

std::optional<double> At(const JointAngles& angles, Joint joint) {
  return angles[static_cast<std::size_t>(joint)];
}

TEST(JointAngles, AreBetweenTheLimbs) {
  Pose pose;
  pose[IndexOf(Bone::kLeftLowerArm)] = AboutAxis({0, 1, 0}, -60 / kDegrees);
  pose[IndexOf(Bone::kRightLowerLeg)] = AboutAxis({1, 0, 0}, 110 / kDegrees);
  pose[IndexOf(Bone::kLeftUpperLeg)] = AboutAxis({1, 0, 0}, -90 / kDegrees);
  const JointAngles angles = JointAnglesOf(Doll(pose).person());
  EXPECT_NEAR(*At(angles, Joint::kLeftElbow), 120, 0.01);
  EXPECT_NEAR(*At(angles, Joint::kRightElbow), 180, 0.05);
  EXPECT_NEAR(*At(angles, Joint::kRightKnee), 70, 0.01);
  EXPECT_NEAR(*At(angles, Joint::kLeftKnee), 180, 0.05);
  EXPECT_NEAR(*At(angles, Joint::kLeftShoulder), 90, 10) << "arms out, ribs narrower than hips";
  EXPECT_NEAR(*At(angles, Joint::kLeftHip), 90, 1) << "a leg lifted straight ahead";
}

TEST(JointAngles, OfPointsThatAreNotSeenAreAbsent) {
  Person person = Doll(Pose()).person();
  person.pose_world_landmarks[15].visibility = 0.49f;
  const JointAngles angles = JointAnglesOf(person);
  EXPECT_FALSE(At(angles, Joint::kLeftElbow));
  EXPECT_FALSE(At(angles, Joint::kLeftWrist));
  EXPECT_TRUE(At(angles, Joint::kRightElbow));
  for (const auto& angle : JointAnglesOf(Person())) EXPECT_FALSE(angle);
}

}  // namespace
}  // namespace holostat::vision
