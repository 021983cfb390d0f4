// Signals of the shared pictures, where what they must be is plain to see.
#include <gtest/gtest.h>

#include <string>

#include "vision/golden_support.h"
#include "vision/signals.h"

namespace holostat::vision {
namespace {

class SignalsOfPictures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HaveModels() || !HaveMedia()) GTEST_SKIP() << "no models or no shared media";
    tracker_ = MakeTracker({});
    ASSERT_TRUE(tracker_);
  }

  Signals Of(const std::string& name) {
    const Image image = ReadMedia(name);
    const auto frame = tracker_->Process(image.view(), std::chrono::microseconds(0));
    if (!frame || frame->people.empty()) {
      ADD_FAILURE() << name << ": nobody found";
      return {};
    }
    return SignalsOf(frame->people[0], frame->width, frame->height);
  }
  static double Angle(const Signals& signals, Joint joint) {
    return signals.joints[static_cast<std::size_t>(joint)].value_or(-1);
  }

  std::unique_ptr<HolisticTracker> tracker_;
};

TEST_F(SignalsOfPictures, AFaceThatLooksIntoTheCameraIsTurnedByNothing) {
  const Signals signals = Of("face-front.png");
  ASSERT_TRUE(signals.head && signals.face);
  EXPECT_NEAR(signals.head->yaw_deg, 0, 5);
  EXPECT_NEAR(signals.head->pitch_deg, 0, 5);
  EXPECT_NEAR(signals.head->roll_deg, 0, 3);
  ASSERT_TRUE(signals.face->left.gaze && signals.face->right.gaze);
  EXPECT_NEAR(signals.face->left.gaze->yaw_deg, 0, 8);
  EXPECT_NEAR(signals.face->left.gaze->pitch_deg, 0, 8);
  EXPECT_GT(signals.face->mouth_openness, 0.1) << "he shows his teeth";
}

TEST_F(SignalsOfPictures, AHeadTurnedToItsRightHasANegativeYaw) {
  for (const auto* name : {"body-standing-cgi.jpg", "upper-mona-lisa.jpg", "body-yoga-beach.jpg"}) {
    const Signals signals = Of(name);
    ASSERT_TRUE(signals.head) << name;
    EXPECT_LT(signals.head->yaw_deg, -10) << name;
  }
}

TEST_F(SignalsOfPictures, AHeadTurnedToItsLeftWhoseEyesStayOnUsLooksToItsRight) {
  const Signals signals = Of("face-hand-cgi.jpg");
  ASSERT_TRUE(signals.head && signals.face);
  EXPECT_GT(signals.head->yaw_deg, 10);
  ASSERT_TRUE(signals.face->left.gaze && signals.face->right.gaze);
  const double gaze = (signals.face->left.gaze->yaw_deg + signals.face->right.gaze->yaw_deg) / 2;
  EXPECT_NEAR(signals.head->yaw_deg + gaze, 0, 8) << "at the camera all in all";
}

TEST_F(SignalsOfPictures, AClosedMouthIsShutAndASpeakingOneIsNot) {
  for (const auto* name :
       {"upper-mona-lisa.jpg", "body-standing-cgi.jpg", "upper-business-glasses.png"}) {
    const Signals signals = Of(name);
    ASSERT_TRUE(signals.face) << name;
    EXPECT_LT(signals.face->mouth_openness, 0.05) << name;
  }
  const Signals speaking = Of("upper-two-hands-ai.png");
  ASSERT_TRUE(speaking.face);
  EXPECT_GT(speaking.face->mouth_openness, 0.15);
}

TEST_F(SignalsOfPictures, EyesThatLaughAreShutAndLookNowhere) {
  const Signals open = Of("face-hand-cgi.jpg"), shut = Of("body-seated-street.jpg");
  ASSERT_TRUE(open.face && shut.face);
  for (const EyeSignals& eye : {open.face->left, open.face->right}) EXPECT_GT(eye.openness, 0.25);
  for (const EyeSignals& eye : {shut.face->left, shut.face->right}) {
    EXPECT_LT(eye.openness, 0.12);
    EXPECT_FALSE(eye.gaze);
  }
}

TEST_F(SignalsOfPictures, AWarriorHasStraightArmsAndOneBentKnee) {
  const Signals signals = Of("body-yoga-beach.jpg");
  EXPECT_GT(Angle(signals, Joint::kLeftElbow), 145);
  EXPECT_GT(Angle(signals, Joint::kRightElbow), 145);
  EXPECT_LT(Angle(signals, Joint::kRightKnee), 130);
  EXPECT_GT(Angle(signals, Joint::kLeftKnee), 150);
  // Arms straight out are those of the rest pose, but for the turn of the trunk.
  const auto& arm = signals.bones[IndexOf(Bone::kLeftUpperArm)];
  ASSERT_TRUE(arm);
  EXPECT_LT(AngleDegrees(arm->Rotate({1, 0, 0}), Vec3{1, 0, 0}), 35);
}

}  // namespace
}  // namespace holostat::vision
