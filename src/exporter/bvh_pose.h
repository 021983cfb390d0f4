#pragma once

#include <array>
#include <chrono>
#include <optional>

#include "exporter/bvh_skeleton.h"
#include "holostat/frame_result.h"
#include "vision/rotation.h"
#include "vision/signals.h"

namespace holostat::exporter {

// How the skeleton stands in one frame.
struct BvhPose {
  vision::Vec3 root{0, 0.9, 0};  // metres: right in the picture, up from the floor, towards us
  std::array<vision::Quaternion, kBvhJointCount> joints{};  // against the parent; T-pose
};

// A share `t` of the way from one to the other.
BvhPose Between(const BvhPose& a, const BvhPose& b, double t);

// Follows one person through the frames. What is not seen stays as it was: a bone, or everything
// where the person is missing. Within the limits of the joints.
class BvhPoser {
 public:
  // `signals` and `person` of the frame; the pose after it. Call once a frame in which the person
  // is.
  const BvhPose& Add(const Person& person, const vision::Signals& signals, int width, int height,
                     std::chrono::microseconds timestamp);
  const BvhPose& pose() const { return pose_; }

 private:
  void MoveRoot(const Person& person, int width, int height, std::chrono::microseconds timestamp);

  BvhPose pose_;
  std::optional<double> metres_per_pixel_;  // of the person's depth, smoothed
  double floor_ = 0;                        // height of the lowest foot of the first frame
  std::chrono::microseconds last_{0};
};

}  // namespace holostat::exporter
