#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "holostat/frame_result.h"

namespace holostat::vision {

enum class Joint : std::uint8_t {
  kLeftShoulder,
  kRightShoulder,
  kLeftElbow,
  kRightElbow,
  kLeftWrist,
  kRightWrist,
  kLeftHip,
  kRightHip,
  kLeftKnee,
  kRightKnee,
  kLeftAnkle,
  kRightAnkle,
};
inline constexpr std::size_t kJointCount = 12;
inline constexpr std::array<std::string_view, kJointCount> kJointNames{
    "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist",
    "left_hip",      "right_hip",      "left_knee",  "right_knee",  "left_ankle", "right_ankle",
};

// The angle between the two limbs that meet in a joint, degrees 0..180 (180: straight), from the
// world landmarks; in the order of Joint. Nothing where one of the three points has a visibility
// under 0.5. Which points: docs/signals.md, "Joint angles".
using JointAngles = std::array<std::optional<double>, kJointCount>;

JointAngles JointAnglesOf(const Person& person);

}  // namespace holostat::vision
