#include "vision/part_claims.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::vision {
namespace {

constexpr ImageSize kImage{1000, 1000};
constexpr std::size_t kNose = 0, kLeftWrist = 15, kRightWrist = 16;

// An open hand, its wrist there and its fingers up, in pixels.
Hand HandAt(float x, float y, float size = 100) {
  Hand hand;
  hand.landmarks[0] = {x / 1000, y / 1000, 0};
  for (std::size_t i = 1; i < kHandLandmarkCount; ++i) {
    const float finger = static_cast<float>((i - 1) / 4), joint = static_cast<float>((i - 1) % 4);
    hand.landmarks[i] = {(x + (finger - 2) * size / 5) / 1000, (y - (joint + 1) * size / 4) / 1000,
                         0};
  }
  return hand;
}

Face FaceAt(float x, float y) {
  Face face;
  face.count = kFaceMeshCount;
  for (std::size_t i = 0; i < face.count; ++i) {
    const float angle = static_cast<float>(i);
    face.points[i] = {x / 1000 + 0.05f * std::cos(angle), y / 1000 + 0.05f * std::sin(angle), 0};
  }
  face.points[1] = {x / 1000, y / 1000, 0};
  return face;
}

Person PersonWithWrists(float left_x, float right_x, float y) {
  Person person;
  person.pose_landmarks[kLeftWrist] = {left_x / 1000, y / 1000, 0, 1, 1};
  person.pose_landmarks[kRightWrist] = {right_x / 1000, y / 1000, 0, 1, 1};
  return person;
}

TEST(PartClaims, TwoHandsInOnePlaceAreOne) {
  EXPECT_TRUE(IsSameHand(HandAt(500, 500), HandAt(504, 497, 103), kImage));
  EXPECT_FALSE(IsSameHand(HandAt(500, 500), HandAt(540, 500), kImage)) << "side by side";
  EXPECT_FALSE(IsSameHand(HandAt(500, 500), HandAt(500, 460, 40), kImage)) << "a small one on it";
  Hand turned = HandAt(500, 500);
  for (Landmark& p : turned.landmarks) p.x = 1 - p.x;
  EXPECT_FALSE(IsSameHand(HandAt(500, 500), turned, kImage)) << "the other hand before it";
}

TEST(PartClaims, AHandIsOfThePersonWhoseWristIsNearest) {
  std::array people{PersonWithWrists(400, 500, 500), PersonWithWrists(530, 700, 500)};
  people[0].right_hand = HandAt(502, 500);
  people[1].left_hand = HandAt(504, 500);
  people[1].right_hand = HandAt(700, 500);
  SettleClaims(people, kImage);
  EXPECT_TRUE(people[0].right_hand);
  EXPECT_FALSE(people[1].left_hand);
  EXPECT_TRUE(people[1].right_hand) << "nobody else claims it";
}

TEST(PartClaims, TheTwoHandsOfAPersonAreTwo) {
  std::array people{PersonWithWrists(400, 430, 500)};
  people[0].left_hand = HandAt(428, 500);
  people[0].right_hand = HandAt(429, 500);
  SettleClaims(people, kImage);
  EXPECT_FALSE(people[0].left_hand);
  EXPECT_TRUE(people[0].right_hand);
}

TEST(PartClaims, AFaceIsOfThePersonWhoseNoseIsNearest) {
  std::array<Person, 2> people{};
  people[0].pose_landmarks[kNose] = {0.30f, 0.3f, 0, 1, 1};
  people[1].pose_landmarks[kNose] = {0.35f, 0.3f, 0, 1, 1};
  people[0].face = FaceAt(345, 300);
  people[1].face = FaceAt(346, 300);
  SettleClaims(people, kImage);
  EXPECT_FALSE(people[0].face);
  EXPECT_TRUE(people[1].face);
}

// Whatever the number of claims, each hand that is somewhere is left to one.
TEST(PartClaims, OfManyWhoClaimAHandOneHasIt) {
  std::vector<Person> people;
  for (int i = 0; i < 8; ++i) {
    const float wrist = 500 + 10 * static_cast<float>((i * 3) % 8);
    people.push_back(PersonWithWrists(wrist, wrist + 3, 500));
    people.back().left_hand = people.back().right_hand = HandAt(500, 500);
    people.back().face = FaceAt(500, 500);
  }
  const auto before = HeapCalls();
  SettleClaims(people, kImage);
  EXPECT_EQ(HeapCalls() - before, 0u);
  int hands = 0, faces = 0;
  for (const Person& person : people) {
    hands += person.left_hand.has_value() + person.right_hand.has_value();
    faces += person.face.has_value();
  }
  EXPECT_EQ(hands, 1);
  EXPECT_EQ(faces, 1);
  EXPECT_TRUE(people[0].left_hand);
}

}  // namespace
}  // namespace holostat::vision
