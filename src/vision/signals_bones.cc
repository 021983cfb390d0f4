#include "vision/signals_bones.h"

#include <algorithm>

#include "vision/bones_side.h"
#include "vision/bones_torso.h"
#include "vision/signals_body.h"

namespace holostat::vision {
namespace {

Quaternion Mirrored(const Quaternion& q) { return {q.w, q.x, -q.y, -q.z}; }

std::optional<Quaternion> Mirrored(const std::optional<Quaternion>& q) {
  if (!q) return std::nullopt;
  return Mirrored(*q);
}

SideRotations Mirrored(const SideRotations& side) {
  SideRotations mirrored;
  for (const auto bone :
       {&SideRotations::shoulder, &SideRotations::upper_arm, &SideRotations::lower_arm,
        &SideRotations::hand, &SideRotations::upper_leg, &SideRotations::lower_leg,
        &SideRotations::foot}) {
    mirrored.*bone = Mirrored(side.*bone);
  }
  for (std::size_t i = 0; i < kFingerBoneCount; ++i)
    mirrored.fingers[i] = Mirrored(side.fingers[i]);
  return mirrored;
}

// `sign` -1: as in a mirror.
std::optional<HandPoints> PointsOf(const std::optional<Hand>& hand, double sign) {
  if (!hand) return std::nullopt;
  HandPoints points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = ToAvatarAxes(hand->world_landmarks[i]);
    points[i].x *= sign;
    if (!std::isfinite(Dot(points[i], points[i]))) return std::nullopt;
  }
  return points;
}

// From the shoulder on in the order of Bone.
void Put(const SideRotations& side, Bone shoulder, Bone fingers, BoneRotations& bones) {
  std::size_t at = IndexOf(shoulder);
  for (const auto& bone : {side.shoulder, side.upper_arm, side.lower_arm, side.hand, side.upper_leg,
                           side.lower_leg, side.foot}) {
    bones[at++] = bone;
  }
  std::ranges::copy(side.fingers, bones.begin() + static_cast<std::ptrdiff_t>(IndexOf(fingers)));
}

// Neck and head turn by half of it each.
void PutHead(const std::optional<Quaternion>& head, const Quaternion& chest, BoneRotations& bones) {
  if (!head) return;
  const Quaternion half = Slerp({}, chest.Inverse() * *head, 0.5);
  bones[IndexOf(Bone::kNeck)] = half;
  bones[IndexOf(Bone::kHead)] = half;
}

std::optional<Quaternion> EyeRotation(const EyeSignals& eye) {
  if (!eye.gaze) return std::nullopt;
  return AboutAxis({0, 1, 0}, eye.gaze->yaw_deg / kDegrees) *
         AboutAxis({1, 0, 0}, -eye.gaze->pitch_deg / kDegrees);
}

}  // namespace

BoneRotations BoneRotationsOf(const Person& person, const FaceGeometry* geometry,
                              const FaceSignals* face) {
  BoneRotations bones;
  const BodyPoints body(person);
  SideRoots roots;
  if (const auto torso = TorsoOf(body)) {
    bones[IndexOf(Bone::kHips)] = torso->hips;
    bones[IndexOf(Bone::kSpine)] = torso->hips.Inverse() * torso->spine;
    bones[IndexOf(Bone::kChest)] = torso->spine.Inverse() * torso->chest;
    PutHead(HeadOf(body, geometry), torso->chest, bones);
    roots = {torso->chest, torso->hips};
  }
  if (face) {
    bones[IndexOf(Bone::kLeftEye)] = EyeRotation(face->left);
    bones[IndexOf(Bone::kRightEye)] = EyeRotation(face->right);
  }
  const auto left_hand = PointsOf(person.left_hand, 1),
             right_hand = PointsOf(person.right_hand, -1);
  Put(LeftSideOf(body, left_hand ? &*left_hand : nullptr, roots), Bone::kLeftShoulder,
      Bone::kLeftFingers, bones);
  const SideRoots mirrored_roots{Mirrored(roots.chest), Mirrored(roots.hips)};
  Put(Mirrored(LeftSideOf(body.Mirrored(), right_hand ? &*right_hand : nullptr, mirrored_roots)),
      Bone::kRightShoulder, Bone::kRightFingers, bones);
  return bones;
}

}  // namespace holostat::vision
