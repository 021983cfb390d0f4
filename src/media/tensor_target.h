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

// That mapping of a sample.
struct SampleScale {
  explicit SampleScale(const TensorTarget& target)
      : factor((target.high - target.low) / 255), low(target.low) {}

  float operator()(float value) const { return value * factor + low; }

  float factor;
  float low;
};

// What every warp begins with: true where there is something to sample. Fills a target without a
// source with border zeros. REQUIRES: target.values.size() == width * height * 3.
bool BeginWarp(const ImageView& source, const TensorTarget& target);

}  // namespace holostat::media
