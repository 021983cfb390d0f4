#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "holostat/image.h"

namespace holostat::media {

// What a sample outside the source picture is.
enum class Border : std::uint8_t { kZero = 1, kReplicate };

// Destination pixel (i, j) is sampled at source position
//   x = m[0] * i + m[1] * j + m[2],  y = m[3] * i + m[4] * j + m[5]
// in pixel-index coordinates (the centre of pixel k is at k).
using Affine = std::array<double, 6>;

// Where the warped samples go: float32 RGB, interleaved, `width` x `height`, each sample mapped
// from 0..255 to low..high by value * ((high - low) / 255) + low.
struct TensorTarget {
  std::span<float> values;  // width * height * 3
  int width = 0;
  int height = 0;
  float low = 0;
  float high = 1;
};

// Resamples a part of `source` into a model's input with the numerics of OpenCV's 8-bit bilinear
// warp (positions rounded half to even to 1/32 pixel, weights in 1/1024, result rounded to uint8),
// so that it equals cv::warpPerspective given the same map (WARP_INVERSE_MAP) bit for bit.
//
// Positions may be anywhere: beyond 2^26 pixels they saturate there (far outside, on their side),
// and a coordinate that is NaN counts as far to the right or below. An empty source is all border
// zeros. Thread-safe; no heap call.
// REQUIRES: target.values.size() == width * height * 3, default floating-point rounding mode.
void WarpToTensor(const ImageView& source, const Affine& destination_to_source, Border border,
                  const TensorTarget& target);

}  // namespace holostat::media
