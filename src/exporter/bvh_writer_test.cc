#include "exporter/bvh_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

#include "base/heap_calls.h"
#include "vision/test_bodies.h"

namespace holostat::exporter {
namespace {

using vision::AboutAxis;
using vision::Bone;
using vision::IndexOf;
using vision::kDegrees;

// Someone whose left arm is lowered by so many degrees and who turns by as many, in the middle of
// the picture.
Person Posed(double degrees, int id = 1) {
  vision::Pose pose;
  pose[IndexOf(Bone::kHips)] = AboutAxis({0, 1, 0}, degrees / kDegrees);
  pose[IndexOf(Bone::kLeftUpperArm)] = AboutAxis({0, 0, 1}, -degrees / 8 / kDegrees);
  Person person = vision::Doll(pose).person();
  person.id = id;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    const PoseLandmark& world = person.pose_world_landmarks[i];
    person.pose_landmarks[i] = {0.5f + world.x * 0.25f, 0.5f + world.y * 0.25f, 0, 1, 1};
  }
  return person;
}

FrameResult FrameOf(std::span<const Person> people, std::int64_t index) {
  return {std::chrono::milliseconds(40 * index), 400, 400, people};
}

using Rows = std::vector<std::vector<double>>;
Rows RowsOf(const std::string& motion) {
  Rows rows;
  std::istringstream lines(motion);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    rows.emplace_back(std::istream_iterator<double>(numbers), std::istream_iterator<double>());
  }
  return rows;
}

TEST(BvhWriter, TurnsOnWithoutALeap) {
  BvhWriter writer(25);
  std::string motion, face;
  for (int i = 0; i < 80; ++i) {
    const Person person = Posed(10 * i);
    writer.Add(FrameOf({&person, 1}, i), motion, face);
  }
  const Rows rows = RowsOf(motion);
  ASSERT_EQ(rows.size(), 80u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 6 + 3 * (kBvhJointCount - 1)) << i;
    for (std::size_t n = 0; i > 0 && n < rows[i].size(); ++n)
      EXPECT_LT(std::abs(rows[i][n] - rows[i - 1][n]), 11) << "line " << i << " channel " << n;
  }
  EXPECT_NEAR(rows.back()[5], 790, 0.1) << "two full turns about y";
}

TEST(BvhWriter, HoldsThePoseOfSomeoneWhoIsGone) {
  BvhWriter writer(25);
  std::string motion, face;
  const Person person = Posed(40), later = Posed(80);
  writer.Add(FrameOf({&person, 1}, 0), motion, face);
  writer.Add(FrameOf({}, 1), motion, face);
  writer.Add(FrameOf({}, 2), motion, face);
  writer.Add(FrameOf({&later, 1}, 3), motion, face);
  const Rows rows = RowsOf(motion);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1], rows[0]);
  EXPECT_EQ(rows[2], rows[0]);
  EXPECT_NE(rows[3], rows[0]);
}

TEST(BvhWriter, FillsGapsInTimeOnTheWay) {
  BvhWriter writer(25);
  std::string motion, face;
  const Person one = Posed(0), other = Posed(40);
  writer.Add(FrameOf({&one, 1}, 0), motion, face);
  writer.Add(FrameOf({&other, 1}, 4), motion, face);
  const Rows rows = RowsOf(motion);
  ASSERT_EQ(rows.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(rows[i][5], 10.0 * i, 0.1);
}

TEST(BvhWriter, StaysWithOnePersonUntilTheyAreLongGone) {
  BvhWriter writer(25);
  std::string motion, face;
  const std::array both{Posed(0, 7), Posed(40, 3)};
  const std::array swapped{both[1], both[0]};
  writer.Add(FrameOf(both, 0), motion, face);
  writer.Add(FrameOf(swapped, 1), motion, face);
  writer.Add(FrameOf({&both[1], 1}, 2), motion, face);
  Rows rows = RowsOf(motion);
  EXPECT_EQ(rows[1], rows[0]);
  EXPECT_EQ(rows[2], rows[0]) << "the other one is not taken at once";
  writer.Add(FrameOf({&both[1], 1}, 40), motion, face);
  rows = RowsOf(motion);
  EXPECT_NEAR(rows.back()[5], 40, 0.1);
}

TEST(BvhWriter, HeadHasOneLengthWhateverIsKnown) {
  BvhWriter writer(25);
  const std::string first = writer.Head();
  EXPECT_NE(first.find("Frames:            0\n"), std::string::npos);
  std::string motion, face;
  for (int i = 0; i < 12; ++i) {
    const Person person = Posed(0);
    writer.Add(FrameOf({&person, 1}, i), motion, face);
  }
  const std::string last = writer.Head();
  EXPECT_EQ(last.size(), first.size());
  EXPECT_NE(last.find("Frames:           12\n"), std::string::npos);
  EXPECT_NE(last.find("OFFSET   0.28000   0.00000   0.00000\n"), std::string::npos)
      << "the doll's upper arm\n"
      << last;
}

TEST(BvhWriter, LengthsThatAreAbsurdChangeNoWidth) {
  BvhWriter writer(25);
  const std::size_t size = writer.Head().size();
  Person person = Posed(0);
  for (PoseLandmark& point : person.pose_world_landmarks) point.x *= 1e9f;
  person.pose_world_landmarks[13].y = std::numeric_limits<float>::infinity();
  person.pose_landmarks[12].x = std::numeric_limits<float>::quiet_NaN();
  std::string motion, face;
  writer.Add(FrameOf({&person, 1}, 0), motion, face);
  EXPECT_EQ(writer.Head().size(), size);
  EXPECT_EQ(motion.find("nan"), std::string::npos);
  EXPECT_EQ(motion.find("inf"), std::string::npos);
}

TEST(BvhWriter, StandsOnTheFloorAndMovesWithThePicture) {
  BvhWriter writer(25);
  std::string motion, face;
  Person person = Posed(0);
  writer.Add(FrameOf({&person, 1}, 0), motion, face);
  for (PoseLandmark& point : person.pose_landmarks) {
    point.x += 0.1f;  // 40 pixels of a picture in which a metre has 100
    point.y -= 0.05f;
  }
  writer.Add(FrameOf({&person, 1}, 1), motion, face);
  const Rows rows = RowsOf(motion);
  EXPECT_NEAR(rows[0][0], 0, 1e-3);
  EXPECT_NEAR(rows[0][1], 0.88, 1e-3) << "the hips above the soles of the doll";
  EXPECT_NEAR(rows[1][0], 0.4, 1e-3);
  EXPECT_NEAR(rows[1][1], 1.08, 1e-3);
  EXPECT_EQ(rows[1][2], 0);
}

TEST(BvhWriter, MakesNoHeapCallAfterWarmUp) {
  BvhWriter writer(25);
  std::string motion, face;
  const Person person = Posed(10);
  const auto add = [&](int i) {
    motion.clear();
    face.clear();
    writer.Add(FrameOf({&person, 1}, i), motion, face);
  };
  for (int i = 0; i < 3; ++i) add(i);
  const auto before = HeapCalls();
  for (int i = 3; i < 50; ++i) add(i);
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::exporter
