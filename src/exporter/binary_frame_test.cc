#include "exporter/binary_frame.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>

namespace holostat::exporter {
namespace {

constexpr std::size_t kFrameHeader = 32, kPersonHeader = 32;

template <class T>
T At(const std::string& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value > bytes.size()) {
    ADD_FAILURE() << "nothing at " << offset;
    return value;
  }
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(BinaryFrame, OfNobodyIsItsHeader) {
  const FrameResult frame{std::chrono::microseconds(-5), 640, 480, {}};
  const std::string bytes = ToBinary(frame, {.frame_index = 9});
  ASSERT_EQ(bytes.size(), kFrameHeader);
  EXPECT_EQ(bytes.substr(0, 4), "HOLF");
  EXPECT_EQ(At<std::uint16_t>(bytes, 4), 1);
  EXPECT_EQ(At<std::uint16_t>(bytes, 6), 0);
  EXPECT_EQ(At<std::uint32_t>(bytes, 8), 640u);
  EXPECT_EQ(At<std::uint32_t>(bytes, 12), 480u);
  EXPECT_EQ(At<std::uint64_t>(bytes, 16), 9u);
  EXPECT_EQ(At<std::int64_t>(bytes, 24), -5);
}

TEST(BinaryFrame, HasEachPartAtItsPlace) {
  std::array<Person, 1> people;
  Person& person = people[0];
  person.id = 3;
  person.score = 0.5f;
  person.pose_landmarks[32].presence = 32.5f;
  person.pose_world_landmarks[0].x = 0.25f;
  person.face.emplace().count = kFaceMeshCount;
  person.face->points[467].z = 467.5f;
  person.right_hand.emplace().score = 0.75f;
  person.right_hand->landmarks[0].x = 1.5f;
  person.right_hand->world_landmarks[20].z = 20.5f;
  const std::array<std::string_view, 1> masks{"png!?"};
  const std::string bytes = ToBinary({std::chrono::microseconds(0), 2, 2, people},
                                     {.frame_index = 0, .mask_pngs = masks});

  EXPECT_EQ(At<std::uint32_t>(bytes, kFrameHeader), 3u);
  EXPECT_EQ(At<float>(bytes, kFrameHeader + 4), 0.5f);
  EXPECT_EQ(At<float>(bytes, kFrameHeader + 8), 0.0f);
  EXPECT_EQ(At<float>(bytes, kFrameHeader + 12), 0.75f);
  EXPECT_EQ(At<std::uint32_t>(bytes, kFrameHeader + 16), 468u);
  EXPECT_EQ(At<std::uint32_t>(bytes, kFrameHeader + 20), 0u);
  EXPECT_EQ(At<std::uint32_t>(bytes, kFrameHeader + 24), 21u);
  EXPECT_EQ(At<std::uint32_t>(bytes, kFrameHeader + 28), 5u);
  const std::size_t pose = kFrameHeader + kPersonHeader, world = pose + 33 * 20;
  EXPECT_EQ(At<float>(bytes, world - 4), 32.5f);
  EXPECT_EQ(At<float>(bytes, world), 0.25f);
  const std::size_t face = world + 33 * 20, hand = face + 468 * 12;
  EXPECT_EQ(At<float>(bytes, hand - 4), 467.5f);
  EXPECT_EQ(At<float>(bytes, hand), 1.5f);
  const std::size_t mask = hand + 2 * 21 * 12;
  EXPECT_EQ(At<float>(bytes, mask - 4), 20.5f);
  EXPECT_EQ(bytes.substr(mask, 5), "png!?");
  EXPECT_EQ(bytes.size(), mask + 8) << "padded to whole numbers";
}

}  // namespace
}  // namespace holostat::exporter
