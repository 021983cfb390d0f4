#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "holostat/frame_result.h"

namespace holostat::vision {

// Which mesh points the attention model refines, in the order of its outputs. "Left" is here the
// eye on the left of the picture, around point 33: the person's right one (docs/pipeline.md,
// "Landmarks").
extern const std::array<std::uint16_t, 80> kLipsPoints;
extern const std::array<std::uint16_t, 71> kLeftEyePoints;
extern const std::array<std::uint16_t, 71> kRightEyePoints;
// The edge of each eye, whose mean depth its iris gets.
extern const std::array<std::uint16_t, 16> kLeftEyeContour;
extern const std::array<std::uint16_t, 16> kRightEyeContour;

inline constexpr std::size_t kIrisPointCount = 5;  // centre, then right, top, left, bottom edge

// The regions' raw outputs: rows of x, y in pixels of the face crop.
struct RefinedRegions {
  std::span<const float> lips;        // 80 rows
  std::span<const float> left_eye;    // 71 rows
  std::span<const float> right_eye;   // 71 rows
  std::span<const float> left_iris;   // 5 rows
  std::span<const float> right_iris;  // 5 rows
};

// Overwrites x and y of the refined points of a mesh (fractions of the crop, points 0 to 467) and
// appends both irises (468 to 477) at the depth of their eyes.
void RefineFace(const RefinedRegions& regions, int input_size,
                std::span<Landmark, kFaceRefinedCount> face);

}  // namespace holostat::vision
