#pragma once

#include <array>
#include <optional>

#include "vision/rotation.h"
#include "vision/signals_body.h"
#include "vision/signals_bones.h"

namespace holostat::vision {

using HandPoints = std::array<Vec3, kHandLandmarkCount>;  // in the axes of avatars

// What the bones of the left side hang on.
struct SideRoots {
  std::optional<Quaternion> chest, hips;  // turned against the world
};

// The bones of the left side, each against its parent.
struct SideRotations {
  std::optional<Quaternion> shoulder, upper_arm, lower_arm, hand, upper_leg, lower_leg, foot;
  std::array<std::optional<Quaternion>, kFingerBoneCount> fingers;
};

// `hand`: null where it was not found. The right side is the left one in a mirror.
SideRotations LeftSideOf(const BodyPoints& body, const HandPoints* hand, const SideRoots& roots);

}  // namespace holostat::vision
