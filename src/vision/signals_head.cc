#include "vision/signals_head.h"

namespace holostat::vision {

HeadPose HeadPoseOf(const Similarity& pose) {
  // What becomes of the face's axes.
  const Vec3 left = pose.rotation.Rotate({1, 0, 0});
  const Vec3 up = pose.rotation.Rotate({0, 1, 0});
  const Vec3 ahead = pose.rotation.Rotate({0, 0, 1});
  const double s = pose.scale;
  HeadPose head;
  head.matrix = {s * left.x, s * up.x, s * ahead.x, pose.translation.x,  //
                 s * left.y, s * up.y, s * ahead.y, pose.translation.y,  //
                 s * left.z, s * up.z, s * ahead.z, pose.translation.z,  //
                 0,          0,        0,           1};
  head.yaw_deg = std::atan2(ahead.x, ahead.z) * kDegrees;
  head.pitch_deg = std::asin(std::clamp(ahead.y, -1.0, 1.0)) * kDegrees;
  head.roll_deg = -std::atan2(left.y, up.y) * kDegrees;
  return head;
}

}  // namespace holostat::vision
