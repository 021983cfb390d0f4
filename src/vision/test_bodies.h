#pragma once

#include <array>
#include <optional>

#include "holostat/frame_result.h"
#include "vision/rotation.h"
#include "vision/signals_bones.h"

namespace holostat::vision {

// Bodies for tests: a doll of fixed lengths, posed by the rotations of its bones.

using Pose = std::array<Quaternion, kBoneCount>;  // by IndexOf(Bone); as BoneRotations

class Doll {
 public:
  explicit Doll(const Pose& pose) : pose_(pose) {
    for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
      person_.pose_world_landmarks[i].visibility = 1;
      person_.pose_world_landmarks[i].presence = 1;
    }
    const Quaternion hips = At(Bone::kHips), spine = hips * At(Bone::kSpine);
    const Quaternion chest = spine * At(Bone::kChest);
    const Vec3 neck = spine.Rotate({0, 0.5, 0});
    for (const double side : {1.0, -1.0}) {
      Arm(side, chest, neck);
      Leg(side, hips);
    }
    Head(chest * At(Bone::kNeck) * At(Bone::kHead), neck + chest.Rotate({0, 0.15, 0}));
  }

  const Person& person() const { return person_; }

 private:
  const Quaternion& At(Bone bone) const { return pose_[IndexOf(bone)]; }
  const Quaternion& At(double side, Bone left, Bone right) const {
    return At(side > 0 ? left : right);
  }
  void Put(std::size_t index, const Vec3& p) {
    PoseLandmark& point = person_.pose_world_landmarks[index];
    point.x = static_cast<float>(p.x);
    point.y = static_cast<float>(-p.y);
    point.z = static_cast<float>(-p.z);
  }

  void Arm(double side, const Quaternion& chest, const Vec3& neck) {
    const std::size_t right = side > 0 ? 0 : 1;
    const Quaternion shoulder = chest * At(side, Bone::kLeftShoulder, Bone::kRightShoulder);
    const Quaternion upper = shoulder * At(side, Bone::kLeftUpperArm, Bone::kRightUpperArm);
    const Quaternion lower = upper * At(side, Bone::kLeftLowerArm, Bone::kRightLowerArm);
    const Quaternion hand = lower * At(side, Bone::kLeftHand, Bone::kRightHand);
    const Vec3 at_shoulder = neck + shoulder.Rotate({0.17 * side, 0, 0});
    const Vec3 elbow = at_shoulder + upper.Rotate({0.28 * side, 0, 0});
    const Vec3 wrist = elbow + lower.Rotate({0.25 * side, 0, 0});
    Put(11 + right, at_shoulder);
    Put(13 + right, elbow);
    Put(15 + right, wrist);
    Put(17 + right, wrist + hand.Rotate({0.09 * side, 0, -0.03}));
    Put(19 + right, wrist + hand.Rotate({0.09 * side, 0, 0.03}));
    Put(21 + right, wrist + hand.Rotate({0.04 * side, 0, 0.04}));
  }

  void Leg(double side, const Quaternion& hips) {
    const std::size_t right = side > 0 ? 0 : 1;
    const Quaternion upper = hips * At(side, Bone::kLeftUpperLeg, Bone::kRightUpperLeg);
    const Quaternion lower = upper * At(side, Bone::kLeftLowerLeg, Bone::kRightLowerLeg);
    const Quaternion foot = lower * At(side, Bone::kLeftFoot, Bone::kRightFoot);
    const Vec3 hip = hips.Rotate({0.11 * side, 0, 0});
    const Vec3 knee = hip + upper.Rotate({0, -0.42, 0});
    const Vec3 ankle = knee + lower.Rotate({0, -0.41, 0});
    Put(23 + right, hip);
    Put(25 + right, knee);
    Put(27 + right, ankle);
    Put(29 + right, ankle + foot.Rotate({0, -0.05, -0.04}));
    Put(31 + right, ankle + foot.Rotate({0, -0.05, 0.14}));
  }

  // Points 0..10 as they lie on the canonical face, centimetres.
  void Head(const Quaternion& head, const Vec3& place) {
    constexpr std::array<Vec3, 11> kPoints{{{0, -1.127, 7.476},
                                            {1.856, 2.585, 3.758},
                                            {3.151, 2.625, 3.466},
                                            {4.446, 2.664, 3.173},
                                            {-1.856, 2.585, 3.758},
                                            {-3.151, 2.625, 3.466},
                                            {-4.446, 2.664, 3.173},
                                            {7.664, 0.673, -2.436},
                                            {-7.664, 0.673, -2.436},
                                            {2.456, -4.343, 4.284},
                                            {-2.456, -4.343, 4.284}}};
    for (std::size_t i = 0; i < kPoints.size(); ++i) Put(i, place + head.Rotate(0.01 * kPoints[i]));
  }

  Pose pose_;
  Person person_;
};

// A hand of straight fingers in the plane of its palm, then each finger bone turned; `hand` against
// the world. `side` 1 left, -1 right.
inline Hand DollHand(double side, const Quaternion& hand,
                     const std::array<Quaternion, kFingerBoneCount>& fingers) {
  Hand out;
  const auto put = [&](std::size_t index, const Vec3& p) {
    out.world_landmarks[index] = {static_cast<float>(p.x), static_cast<float>(-p.y),
                                  static_cast<float>(-p.z)};
  };
  put(0, {});
  const double half = std::sqrt(0.5);
  for (std::size_t finger = 0; finger < 5; ++finger) {
    const bool is_thumb = finger == 0;
    Quaternion turn = hand;
    Vec3 at =
        hand.Rotate(is_thumb ? Vec3{0.03 * side, 0, 0.03}
                             : Vec3{0.09 * side, 0, 0.02 * (2 - static_cast<double>(finger))});
    put(1 + 4 * finger, at);
    for (std::size_t joint = 0; joint < 3; ++joint) {
      turn = turn * fingers[3 * finger + joint];
      at = at + turn.Rotate(0.03 * (is_thumb ? Vec3{half * side, 0, half} : Vec3{side, 0, 0}));
      put(2 + 4 * finger + joint, at);
    }
  }
  return out;
}

}  // namespace holostat::vision
