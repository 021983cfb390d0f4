#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "exporter/coco_wholebody.h"
#include "exporter/keypoint_sets.h"
#include "exporter/openpose.h"

namespace holostat::exporter {
namespace {

using nlohmann::json;

// A person whose points tell their index: x = index / 1000, y = index / 500.
Person Numbered() {
  Person person;
  person.id = 4;
  person.score = 0.75f;
  for (std::size_t i = 0; i < person.pose_landmarks.size(); ++i) {
    const float at = static_cast<float>(i) / 1000;
    person.pose_landmarks[i] = {at, 2 * at, 0, i == 11 ? 0.25f : 0.9f, 1};
  }
  Face& face = person.face.emplace();
  face.count = kFaceRefinedCount;
  face.score = 0.5f;
  for (std::size_t i = 0; i < face.count; ++i) face.points[i].x = static_cast<float>(i) / 1000;
  Hand& hand = person.left_hand.emplace();
  hand.score = 0.625f;
  for (std::size_t i = 0; i < kHandLandmarkCount; ++i)
    hand.landmarks[i].y = static_cast<float>(i) / 500;
  return person;
}

FrameResult FrameOf(std::span<const Person> people) {
  return {std::chrono::microseconds(0), 1000, 500, people};
}

TEST(OpenPose, PutsEachPointWhereItsSetHasIt) {
  const std::array people{Numbered()};
  const json document = json::parse(ToOpenPose(FrameOf(people)));
  ASSERT_EQ(document["people"].size(), 1u);
  const json& person = document["people"][0];
  EXPECT_EQ(person["person_id"], json({4}));
  const auto pose = person["pose_keypoints_2d"].get<std::vector<double>>();
  ASSERT_EQ(pose.size(), 75u);
  EXPECT_NEAR(pose[3 * 4], 16, 0.01) << "the right wrist, in pixels";
  EXPECT_NEAR(pose[3 * 4 + 1], 16, 0.01);
  EXPECT_NEAR(pose[3], 11.5, 0.01) << "the neck, between the shoulders";
  EXPECT_NEAR(pose[5], 0.25, 0.01) << "as visible as the lesser one";
  for (const std::size_t toe : {20u, 23u})
    EXPECT_EQ(pose[3 * toe] + pose[3 * toe + 1] + pose[3 * toe + 2], 0) << "small toe";
  const auto face = person["face_keypoints_2d"].get<std::vector<double>>();
  ASSERT_EQ(face.size(), 210u);
  EXPECT_NEAR(face[3 * 8], 152, 0.01) << "the chin";
  EXPECT_NEAR(face[3 * 68], 468, 0.01) << "the right pupil";
  EXPECT_NEAR(face[2], 0.5, 0.01);
  EXPECT_NEAR(person["hand_left_keypoints_2d"][3 * 20 + 1].get<double>(), 20, 0.01);
  EXPECT_EQ(person["hand_right_keypoints_2d"], json(std::vector<double>(63, 0.0)));
}

TEST(OpenPose, HasNoPupilsWithoutIrises) {
  std::array people{Numbered()};
  people[0].face->count = kFaceMeshCount;
  const json document = json::parse(ToOpenPose(FrameOf(people)));
  EXPECT_EQ(document["people"][0]["face_keypoints_2d"][3 * 69 + 2], 0.0);
  EXPECT_EQ(json::parse(ToOpenPose(FrameOf({})))["people"], json::array());
}

TEST(CocoWholeBody, Has133Keypoints) {
  const std::array people{Numbered()};
  const json document = json::parse(ToCocoWholeBody(FrameOf(people), 7));
  EXPECT_EQ(document["images"][0], json({{"id", 7}, {"width", 1000}, {"height", 500}}));
  const json& one = document["annotations"][0];
  std::size_t count = 0;
  for (const auto name : {"keypoints", "foot_kpts", "face_kpts", "lefthand_kpts", "righthand_kpts"})
    count += one[name].size() / 3;
  EXPECT_EQ(count, 133u);
  EXPECT_EQ(one["keypoints"][3 * 5 + 2], 1) << "a left shoulder that is hidden";
  EXPECT_EQ(one["keypoints"][2], 2);
  EXPECT_EQ(one["foot_kpts"][3 + 2], 0) << "small toe";
  EXPECT_EQ(one["num_keypoints"], 17);
  EXPECT_TRUE(one["lefthand_valid"].get<bool>());
  EXPECT_FALSE(one["righthand_valid"].get<bool>());
  EXPECT_EQ(one["righthand_box"], json({0.0, 0.0, 0.0, 0.0}));
  EXPECT_NEAR(one["bbox"][2].get<double>(), 28, 0.01) << "from the nose (0) to the ankle (28)";
}

TEST(CocoWholeBody, WritesNoNumberThatIsNone) {
  std::array people{Numbered()};
  people[0].pose_landmarks[0].x = std::numeric_limits<float>::quiet_NaN();
  people[0].pose_landmarks[2].y = std::numeric_limits<float>::infinity();
  const json document = json::parse(ToCocoWholeBody(FrameOf(people)));
  EXPECT_EQ(document["annotations"][0]["keypoints"][2], 0);
  EXPECT_EQ(document["annotations"][0]["num_keypoints"], 15);
  EXPECT_NO_THROW(json::parse(ToOpenPose(FrameOf(people))));
}

// The canonical face is symmetric: x to the person's left, y up, in centimetres.
class Face68Test : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(HOLOSTAT_SOURCE_DIR "/../shared/reference/canonical_face.json");
    if (!file) GTEST_SKIP() << "no shared reference beside the checkout";
    vertices_ = json::parse(file)["vertices_xyz"];
  }
  double X(std::size_t keypoint) const { return vertices_[kFace68[keypoint]][0]; }
  double Y(std::size_t keypoint) const { return vertices_[kFace68[keypoint]][1]; }

  json vertices_;
};

TEST_F(Face68Test, IsTheSameOnBothSides) {
  const auto mirrored = [&](std::size_t a, std::size_t b) {
    EXPECT_NEAR(X(a), -X(b), 0.05) << a << " and " << b;
    EXPECT_NEAR(Y(a), Y(b), 0.05) << a << " and " << b;
  };
  for (std::size_t i = 0; i < 8; ++i) mirrored(i, 16 - i);
  for (std::size_t i = 0; i < 5; ++i) mirrored(17 + i, 26 - i);
  for (std::size_t i = 0; i < 2; ++i) mirrored(31 + i, 35 - i);
  for (const auto& [a, b] : {std::pair(36, 45), std::pair(37, 44), std::pair(38, 43),
                             std::pair(39, 42), std::pair(40, 47), std::pair(41, 46)})
    mirrored(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  for (std::size_t i = 0; i < 3; ++i) mirrored(48 + i, 54 - i);
  for (std::size_t i = 0; i < 2; ++i) mirrored(55 + i, 59 - i);
  for (std::size_t i = 0; i < 2; ++i) mirrored(60 + i, 64 - i);
  mirrored(65, 67);
}

TEST_F(Face68Test, GoesAlongItsContours) {
  for (std::size_t i = 0; i < 8; ++i) EXPECT_GT(Y(i), Y(i + 1)) << "down to the chin: " << i;
  for (std::size_t i = 17; i < 26; ++i) EXPECT_LT(X(i), X(i + 1)) << "brows: " << i;
  for (std::size_t i = 27; i < 30; ++i) EXPECT_GT(Y(i), Y(i + 1)) << "bridge of the nose: " << i;
  for (std::size_t i = 31; i < 35; ++i) EXPECT_LT(X(i), X(i + 1)) << "foot of the nose: " << i;
  for (std::size_t i = 48; i < 54; ++i) EXPECT_LT(X(i), X(i + 1)) << "upper lip: " << i;
  for (std::size_t i = 54; i < 59; ++i) EXPECT_GT(X(i), X(i + 1)) << "lower lip: " << i;
  EXPECT_GT(Y(51), Y(57)) << "the upper lip is above the lower one";
  EXPECT_GT(Y(37), Y(41)) << "so is the upper lid";
}

}  // namespace
}  // namespace holostat::exporter
