#pragma once

#include <array>
#include <optional>

#include "vision/face_geometry.h"

namespace holostat::vision {

// Where the head is and looks, in the space of the camera (face_geometry.h). The head is turned by
// roll first, then pitch, then yaw. Degrees.
struct HeadPose {
  // Row-major 4x4: canonical face -> camera, centimetres.
  std::array<double, 16> matrix{};
  double yaw_deg = 0;    // -180..180; + to the person's left
  double pitch_deg = 0;  // -90..90; + up
  double roll_deg = 0;   // -180..180; + leaning to the person's left shoulder
};

HeadPose HeadPoseOf(const Similarity& pose);

}  // namespace holostat::vision
