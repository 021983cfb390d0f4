#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "holostat/frame_result.h"
#include "vision/face_geometry.h"
#include "vision/rotation.h"
#include "vision/signals_face.h"

namespace holostat::vision {

// The bones of VRM's humanoid that landmarks tell something of; a parent stands before its
// children.
enum class Bone : std::uint8_t {
  kHips,
  kSpine,
  kChest,
  kNeck,
  kHead,
  kLeftEye,
  kRightEye,
  kLeftShoulder,
  kLeftUpperArm,
  kLeftLowerArm,
  kLeftHand,
  kLeftUpperLeg,
  kLeftLowerLeg,
  kLeftFoot,
  kRightShoulder,
  kRightUpperArm,
  kRightLowerArm,
  kRightHand,
  kRightUpperLeg,
  kRightLowerLeg,
  kRightFoot,
  kLeftFingers,  // 15: thumb, index, middle, ring, little; three each
  kRightFingers = kLeftFingers + 15,
};
inline constexpr std::size_t kFingerBoneCount = 15;
inline constexpr std::size_t kBoneCount = 51;
inline constexpr std::size_t IndexOf(Bone bone) { return static_cast<std::size_t>(bone); }

// clang-format off
inline constexpr std::array<std::string_view, kBoneCount> kBoneNames{
    "hips", "spine", "chest", "neck", "head", "leftEye", "rightEye",
    "leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand",
    "leftUpperLeg", "leftLowerLeg", "leftFoot",
    "rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand",
    "rightUpperLeg", "rightLowerLeg", "rightFoot",
    "leftThumbMetacarpal", "leftThumbProximal", "leftThumbDistal",
    "leftIndexProximal", "leftIndexIntermediate", "leftIndexDistal",
    "leftMiddleProximal", "leftMiddleIntermediate", "leftMiddleDistal",
    "leftRingProximal", "leftRingIntermediate", "leftRingDistal",
    "leftLittleProximal", "leftLittleIntermediate", "leftLittleDistal",
    "rightThumbMetacarpal", "rightThumbProximal", "rightThumbDistal",
    "rightIndexProximal", "rightIndexIntermediate", "rightIndexDistal",
    "rightMiddleProximal", "rightMiddleIntermediate", "rightMiddleDistal",
    "rightRingProximal", "rightRingIntermediate", "rightRingDistal",
    "rightLittleProximal", "rightLittleIntermediate", "rightLittleDistal"};
// clang-format on

// How each bone is turned against its parent (the hips: against the world), from a rest in which
// the person stands facing the camera with arms out, palms down (T-pose), and all bones have the
// axes of the world: x to the person's left, y up, z ahead. That is VRM's normalised pose; how each
// is told: docs/signals.md, "Bones". Nothing where the landmarks are not seen, or those of a
// parent. By IndexOf(bone).
using BoneRotations = std::array<std::optional<Quaternion>, kBoneCount>;

// `geometry` and `face`: of the person's face, where there is one.
BoneRotations BoneRotationsOf(const Person& person, const FaceGeometry* geometry,
                              const FaceSignals* face);

}  // namespace holostat::vision
