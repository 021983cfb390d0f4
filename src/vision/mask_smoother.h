#pragma once

#include <span>
#include <vector>

#include "holostat/frame_result.h"

namespace holostat::vision {

// The new probability where the old one was `before`: an unsure one (about 0.5) changes slowly, a
// sure one at once. Formula: docs/tracking.md.
float SmoothedProbability(float now, float before);

// Makes the mask of a body steady over time. Masks stay at the model's size: that of the frame
// before is looked up where the picture's points lay in it, and is 0 outside of it.
//
// Takes its memory (a mask) when made, pages of it only with the first mask. Movable.
class MaskSmoother {
 public:
  MaskSmoother() { before_.reserve(kMaskValues); }

  // Smooths `mask`, whose values are `values`. No heap call.
  void Apply(const SegmentationMask& mask, std::span<float> values);

  void Reset() { before_.clear(); }

 private:
  static constexpr std::size_t kMaskValues = std::size_t{kMaskSize} * kMaskSize;

  std::vector<float> before_;  // empty: none
  std::array<float, 6> image_to_before_{};
};

}  // namespace holostat::vision
