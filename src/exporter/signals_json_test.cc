#include "exporter/signals_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/heap_calls.h"
#include "vision/test_bodies.h"
#include "vision/test_faces.h"

namespace holostat::exporter {
namespace {

using nlohmann::json;
using vision::Bone;
using vision::IndexOf;

Person Everything() {
  vision::Pose pose;
  pose[IndexOf(Bone::kLeftLowerArm)] = vision::AboutAxis({0, 1, 0}, -90 / vision::kDegrees);
  Person person = vision::Doll(pose).person();
  person.face =
      vision::Photograph(vision::CanonicalPoints(), vision::TurnedBy(20, 10, 5), {0, 0, -60});
  person.left_hand = vision::DollHand(1, {}, {});
  return person;
}

json Written(const Person& person) {
  std::string text;
  AppendSignals(vision::SignalsOf(person, vision::kTestWidth, vision::kTestHeight), text);
  return json::parse(text);
}

TEST(SignalsJson, SaysWhatTheSignalsAre) {
  const json signals = Written(Everything());
  EXPECT_NEAR(signals["head"]["yaw"].get<double>(), 20, 0.01);
  EXPECT_NEAR(signals["head"]["matrix"][11].get<double>(), -60, 0.01);
  EXPECT_NEAR(signals["joint_angles"]["left_elbow"].get<double>(), 90, 0.01);
  EXPECT_EQ(signals["bones"].size(), vision::kBoneCount);
  EXPECT_NEAR(signals["bones"]["leftLowerArm"][1].get<double>(), -std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(signals["bones"]["leftLowerArm"][3].get<double>(), std::sqrt(0.5), 1e-3) << "w last";
  EXPECT_TRUE(signals["face"]["left_gaze"].is_array());
  EXPECT_TRUE(signals["bones"]["leftIndexDistal"].is_array());
  EXPECT_TRUE(signals["bones"]["rightIndexDistal"].is_null());
}

TEST(SignalsJson, WhatIsNotToldIsNull) {
  const json signals = Written(Person());
  EXPECT_TRUE(signals["head"].is_null());
  EXPECT_TRUE(signals["face"].is_null());
  for (const auto& [name, angle] : signals["joint_angles"].items()) EXPECT_TRUE(angle.is_null());
  for (const auto& [name, bone] : signals["bones"].items()) EXPECT_TRUE(bone.is_null()) << name;
}

TEST(SignalsJson, MakesNoHeapCallAfterWarmUp) {
  const vision::Signals signals = vision::SignalsOf(Everything(), 1280, 720);
  std::string text;
  AppendSignals(signals, text);
  text.clear();
  const auto before = HeapCalls();
  AppendSignals(signals, text);
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::exporter
