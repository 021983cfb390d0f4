#include "vision/signals_joints.h"

#include "vision/signals_body.h"

namespace holostat::vision {
namespace {

// End of one limb, the joint, end of the other.
struct Corner {
  std::uint8_t from, at, to;
};
constexpr std::array<Corner, kJointCount> kCorners{{
    {23, 11, 13},
    {24, 12, 14},  // shoulder: hip, elbow
    {11, 13, 15},
    {12, 14, 16},  // elbow
    {13, 15, 19},
    {14, 16, 20},  // wrist: elbow, index finger
    {11, 23, 25},
    {12, 24, 26},  // hip: shoulder, knee
    {23, 25, 27},
    {24, 26, 28},  // knee
    {25, 27, 31},
    {26, 28, 32},  // ankle: knee, toes
}};

}  // namespace

JointAngles JointAnglesOf(const Person& person) {
  const BodyPoints body(person);
  JointAngles angles;
  for (std::size_t i = 0; i < kJointCount; ++i) {
    const auto [from, at, to] = kCorners[i];
    if (!body.Sees(from) || !body.Sees(at) || !body.Sees(to)) continue;
    angles[i] = AngleDegrees(body[from] - body[at], body[to] - body[at]);
  }
  return angles;
}

}  // namespace holostat::vision
