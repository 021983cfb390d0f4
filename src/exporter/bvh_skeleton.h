#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "exporter/euler.h"
#include "exporter/running_median.h"
#include "holostat/frame_result.h"
#include "vision/rotation.h"
#include "vision/signals_bones.h"

namespace holostat::exporter {

// What a bone's length is measured by; both sides count together.
enum class Length : std::uint8_t {
  kHipWidth,
  kTorso,
  kShoulderWidth,
  kNeck,  // from between the shoulders to between the ears
  kUpperArm,
  kLowerArm,
  kPalm,  // from the wrist to the knuckle of the middle finger
  kUpperLeg,
  kLowerLeg,
  kFoot,  // from the ankle to the toes
};
inline constexpr std::size_t kLengthCount = 10;
using Lengths = std::array<double, kLengthCount>;  // metres

// A joint of the skeleton: a bone of vision/signals_bones.h. Listed depth first, as BVH has them.
struct BvhJoint {
  vision::Bone bone;
  std::string_view name;
  int parent;           // in the list; -1: the root
  Length length;        // that the offset is a multiple of
  vision::Vec3 offset;  // from the parent, in the T-pose
  AxisOrder order;      // of its channels
  double limit_deg;     // how far it may be turned from the T-pose
  vision::Vec3 end;     // End Site, in multiples of end_length; 0: has children
  Length end_length;
};
inline constexpr std::size_t kBvhJointCount = 49;
extern const std::array<BvhJoint, kBvhJointCount> kBvhJoints;

// The lengths of a person's bones: the median over the frames in which both ends are seen.
class BoneLengths {
 public:
  void Add(const Person& person);
  // What was never seen is that of an adult of 1.7 m, scaled as the rest.
  Lengths Get() const;

 private:
  std::array<RunningMedian, kLengthCount> medians_;
};

}  // namespace holostat::exporter
