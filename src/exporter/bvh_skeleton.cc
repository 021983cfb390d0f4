#include "exporter/bvh_skeleton.h"

#include <algorithm>

#include "vision/signals_body.h"

namespace holostat::exporter {
namespace {

using vision::Bone;
using vision::Vec3;

// Orders are locked where the third axis comes to lie along the first: for each joint one that it
// hardly ever does (docs/formats.md, "BVH").
constexpr AxisOrder kZXY{2, 0, 1}, kXZY{0, 2, 1}, kZYX{2, 1, 0}, kYZX{1, 2, 0};

constexpr Bone Finger(Bone first, int offset) {
  return static_cast<Bone>(static_cast<int>(first) + offset);
}

// Of an adult of 1.7 m, metres.
constexpr Lengths kUsual{0.22, 0.50, 0.34, 0.20, 0.28, 0.25, 0.09, 0.42, 0.41, 0.15};

// Whatever the landmarks say; so that the text of a length has a known width too.
constexpr double kShortest = 0.001, kLongest = 9;

void AddDistance(const vision::BodyPoints& body, std::size_t a, std::size_t b,
                 RunningMedian& median) {
  if (body.Sees(a) && body.Sees(b)) median.Add(vision::Length(body[a] - body[b]));
}

void AddPalm(const std::optional<Hand>& hand, RunningMedian& median) {
  if (!hand) return;
  const double palm = vision::Length(vision::ToAvatarAxes(hand->world_landmarks[0]) -
                                     vision::ToAvatarAxes(hand->world_landmarks[9]));
  if (std::isfinite(palm)) median.Add(palm);
}

}  // namespace

// clang-format off
const std::array<BvhJoint, kBvhJointCount> kBvhJoints{{
    {Bone::kHips, "Hips", -1, Length::kHipWidth, {0, 0, 0}, kZXY, 180, {0, 0, 0}, Length::kHipWidth},
    {Bone::kSpine, "Spine", 0, Length::kTorso, {0, 0.1, 0}, kZXY, 60, {0, 0, 0}, Length::kTorso},
    {Bone::kChest, "Chest", 1, Length::kTorso, {0, 0.4, 0}, kZXY, 60, {0, 0, 0}, Length::kTorso},
    {Bone::kNeck, "Neck", 2, Length::kTorso, {0, 0.5, 0}, kZXY, 60, {0, 0, 0}, Length::kTorso},
    {Bone::kHead, "Head", 3, Length::kNeck, {0, 0.75, 0}, kZXY, 60, {0, 1, 0}, Length::kNeck},
    {Bone::kLeftShoulder, "LeftShoulder", 2, Length::kTorso, {0, 0.5, 0}, kZXY, 45, {0, 0, 0}, Length::kTorso},
    {Bone::kLeftUpperArm, "LeftUpperArm", 5, Length::kShoulderWidth, {0.5, 0, 0}, kZYX, 180, {0, 0, 0}, Length::kShoulderWidth},
    {Bone::kLeftLowerArm, "LeftLowerArm", 6, Length::kUpperArm, {1, 0, 0}, kYZX, 160, {0, 0, 0}, Length::kUpperArm},
    {Bone::kLeftHand, "LeftHand", 7, Length::kLowerArm, {1, 0, 0}, kZYX, 100, {0, 0, 0}, Length::kLowerArm},
    {Finger(Bone::kLeftFingers, 0), "LeftThumbMetacarpal", 8, Length::kPalm, {0.3, 0, 0.3}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 1), "LeftThumbProximal", 9, Length::kPalm, {0.3182, 0, 0.3182}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 2), "LeftThumbDistal", 10, Length::kPalm, {0.2546, 0, 0.2546}, kZYX, 110, {0.2121, 0, 0.2121}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 3), "LeftIndexProximal", 8, Length::kPalm, {0.98, 0, 0.25}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 4), "LeftIndexIntermediate", 12, Length::kPalm, {0.42, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 5), "LeftIndexDistal", 13, Length::kPalm, {0.27, 0, 0}, kZYX, 110, {0.23, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 6), "LeftMiddleProximal", 8, Length::kPalm, {1, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 7), "LeftMiddleIntermediate", 15, Length::kPalm, {0.47, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 8), "LeftMiddleDistal", 16, Length::kPalm, {0.31, 0, 0}, kZYX, 110, {0.24, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 9), "LeftRingProximal", 8, Length::kPalm, {0.93, 0, -0.22}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 10), "LeftRingIntermediate", 18, Length::kPalm, {0.43, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 11), "LeftRingDistal", 19, Length::kPalm, {0.29, 0, 0}, kZYX, 110, {0.24, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 12), "LeftLittleProximal", 8, Length::kPalm, {0.85, 0, -0.42}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 13), "LeftLittleIntermediate", 21, Length::kPalm, {0.34, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kLeftFingers, 14), "LeftLittleDistal", 22, Length::kPalm, {0.21, 0, 0}, kZYX, 110, {0.21, 0, 0}, Length::kPalm},
    {Bone::kRightShoulder, "RightShoulder", 2, Length::kTorso, {0, 0.5, 0}, kZXY, 45, {0, 0, 0}, Length::kTorso},
    {Bone::kRightUpperArm, "RightUpperArm", 24, Length::kShoulderWidth, {-0.5, 0, 0}, kZYX, 180, {0, 0, 0}, Length::kShoulderWidth},
    {Bone::kRightLowerArm, "RightLowerArm", 25, Length::kUpperArm, {-1, 0, 0}, kYZX, 160, {0, 0, 0}, Length::kUpperArm},
    {Bone::kRightHand, "RightHand", 26, Length::kLowerArm, {-1, 0, 0}, kZYX, 100, {0, 0, 0}, Length::kLowerArm},
    {Finger(Bone::kRightFingers, 0), "RightThumbMetacarpal", 27, Length::kPalm, {-0.3, 0, 0.3}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 1), "RightThumbProximal", 28, Length::kPalm, {-0.3182, 0, 0.3182}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 2), "RightThumbDistal", 29, Length::kPalm, {-0.2546, 0, 0.2546}, kZYX, 110, {-0.2121, 0, 0.2121}, Length::kPalm},
    {Finger(Bone::kRightFingers, 3), "RightIndexProximal", 27, Length::kPalm, {-0.98, 0, 0.25}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 4), "RightIndexIntermediate", 31, Length::kPalm, {-0.42, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 5), "RightIndexDistal", 32, Length::kPalm, {-0.27, 0, 0}, kZYX, 110, {-0.23, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 6), "RightMiddleProximal", 27, Length::kPalm, {-1, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 7), "RightMiddleIntermediate", 34, Length::kPalm, {-0.47, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 8), "RightMiddleDistal", 35, Length::kPalm, {-0.31, 0, 0}, kZYX, 110, {-0.24, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 9), "RightRingProximal", 27, Length::kPalm, {-0.93, 0, -0.22}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 10), "RightRingIntermediate", 37, Length::kPalm, {-0.43, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 11), "RightRingDistal", 38, Length::kPalm, {-0.29, 0, 0}, kZYX, 110, {-0.24, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 12), "RightLittleProximal", 27, Length::kPalm, {-0.85, 0, -0.42}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 13), "RightLittleIntermediate", 40, Length::kPalm, {-0.34, 0, 0}, kZYX, 110, {0, 0, 0}, Length::kPalm},
    {Finger(Bone::kRightFingers, 14), "RightLittleDistal", 41, Length::kPalm, {-0.21, 0, 0}, kZYX, 110, {-0.21, 0, 0}, Length::kPalm},
    {Bone::kLeftUpperLeg, "LeftUpperLeg", 0, Length::kHipWidth, {0.5, 0, 0}, kXZY, 180, {0, 0, 0}, Length::kHipWidth},
    {Bone::kLeftLowerLeg, "LeftLowerLeg", 43, Length::kUpperLeg, {0, -1, 0}, kXZY, 160, {0, 0, 0}, Length::kUpperLeg},
    {Bone::kLeftFoot, "LeftFoot", 44, Length::kLowerLeg, {0, -1, 0}, kXZY, 80, {0, -0.342, 0.9397}, Length::kFoot},
    {Bone::kRightUpperLeg, "RightUpperLeg", 0, Length::kHipWidth, {-0.5, 0, 0}, kXZY, 180, {0, 0, 0}, Length::kHipWidth},
    {Bone::kRightLowerLeg, "RightLowerLeg", 46, Length::kUpperLeg, {0, -1, 0}, kXZY, 160, {0, 0, 0}, Length::kUpperLeg},
    {Bone::kRightFoot, "RightFoot", 47, Length::kLowerLeg, {0, -1, 0}, kXZY, 80, {0, -0.342, 0.9397}, Length::kFoot},
}};
// clang-format on

void BoneLengths::Add(const Person& person) {
  const vision::BodyPoints body(person);
  const auto median = [&](Length length) -> RunningMedian& {
    return medians_[static_cast<std::size_t>(length)];
  };
  AddDistance(body, 23, 24, median(Length::kHipWidth));
  AddDistance(body, 11, 12, median(Length::kShoulderWidth));
  if (body.Sees(11) && body.Sees(12)) {
    const Vec3 shoulders = vision::Middle(body[11], body[12]);
    const Vec3 hips = vision::Middle(body[23], body[24]);
    if (body.Sees(23) && body.Sees(24)) {
      median(Length::kTorso).Add(vision::Length(shoulders - hips));
    }
    if (body.Sees(7) && body.Sees(8)) {
      median(Length::kNeck).Add(vision::Length(vision::Middle(body[7], body[8]) - shoulders));
    }
  }
  for (const std::size_t side : {0u, 1u}) {
    AddDistance(body, 11 + side, 13 + side, median(Length::kUpperArm));
    AddDistance(body, 13 + side, 15 + side, median(Length::kLowerArm));
    AddDistance(body, 23 + side, 25 + side, median(Length::kUpperLeg));
    AddDistance(body, 25 + side, 27 + side, median(Length::kLowerLeg));
    AddDistance(body, 27 + side, 31 + side, median(Length::kFoot));
  }
  AddPalm(person.left_hand, median(Length::kPalm));
  AddPalm(person.right_hand, median(Length::kPalm));
}

Lengths BoneLengths::Get() const {
  std::array<double, kLengthCount> ratios{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < kLengthCount; ++i) {
    if (const auto median = medians_[i].Get()) ratios[count++] = *median / kUsual[i];
  }
  const auto end = ratios.begin() + static_cast<std::ptrdiff_t>(count);
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(ratios.begin(), middle, end);
  const double scale = count > 0 ? *middle : 1;
  Lengths lengths;
  for (std::size_t i = 0; i < kLengthCount; ++i) {
    lengths[i] = std::clamp(medians_[i].Get().value_or(scale * kUsual[i]), kShortest, kLongest);
  }
  return lengths;
}

}  // namespace holostat::exporter
