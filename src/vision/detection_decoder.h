#pragma once

#include <cstddef>
#include <span>

#include "vision/detection.h"

namespace holostat::vision {

inline constexpr std::size_t kBoxValues = 4;  // x, y, width, height

// The raw output of a single-shot detector. Row i belongs to anchor i:
//   boxes[i] = x, y, width, height, then x, y of each keypoint, in input pixels off the anchor
//   scores[i] = logit
struct RawDetections {
  std::span<const float> boxes;  // anchors * (kBoxValues + 2 * keypoint_count)
  std::span<const float> scores;
  std::size_t keypoint_count = 0;
  int input_size = 0;  // pixels
};

// Writes those scoring at least `min_score` to `out`, in anchor order, in fractions of the input;
// returns how many. Skips boxes of negative size and NaN. REQUIRES: out.size() >= anchors.size().
std::size_t DecodeDetections(const RawDetections& raw, std::span<const Point> anchors,
                             float min_score, std::span<Detection> out);

}  // namespace holostat::vision
