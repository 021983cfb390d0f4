#pragma once

#include <array>
#include <cstddef>

#include "vision/normalized_rect.h"

namespace holostat::vision {

inline constexpr std::size_t kMaxDetectionKeypoints = 6;

// A box, and points that say how the thing lies, in fractions of a crop or of a picture.
struct Detection {
  float x_min = 0, y_min = 0, width = 0, height = 0;
  float score = 0;  // 0..1
  std::array<Point, kMaxDetectionKeypoints> keypoints{};
};

// The keypoints of pose detection that place the body; two more, of the upper body, are not used.
inline constexpr std::size_t kPoseHipCenter = 0;
inline constexpr std::size_t kPoseFullBodyScale = 1;
inline constexpr std::size_t kPoseKeypointCount = 4;

// The keypoints of face detection, on the person's own sides; then nose tip, mouth and ears.
inline constexpr std::size_t kFaceRightEye = 0;
inline constexpr std::size_t kFaceLeftEye = 1;
inline constexpr std::size_t kFaceKeypointCount = 6;

}  // namespace holostat::vision
