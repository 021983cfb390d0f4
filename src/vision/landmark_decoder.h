#pragma once

#include <span>

#include "holostat/frame_result.h"

namespace holostat::vision {

// How raw landmark values relate to fractions of the crop.
struct LandmarkScale {
  int input_size = 0;  // side of the crop, pixels
  float z_divisor = 1;
};

// Turns rows of x, y and (from three values a row) z, in pixels of the crop, into fractions of it.
// REQUIRES: raw.size() is a multiple of out.size(), at least two a row.
void DecodeLandmarks(std::span<const float> raw, const LandmarkScale& scale,
                     std::span<Landmark> out);

// Rows of x, y, z and the logits of visibility and presence. REQUIRES: raw.size() == 5 *
// out.size().
void DecodePoseLandmarks(std::span<const float> raw, int input_size, std::span<PoseLandmark> out);

}  // namespace holostat::vision
