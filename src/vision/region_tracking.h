#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "vision/normalized_rect.h"

namespace holostat::vision {

// A hand or face has two regions: where it was (the region of its landmarks in the frame before)
// and where it is found anew. The first is steadier, so it is kept as long as the second agrees.

// How far the two may differ, in the axes of the new one.
struct TrackingLimits {
  float rotation_degrees;
  float translation;  // of the new sides
  float scale;        // of the new sides
  float margin;       // of the new sides: the old landmarks must lie in the region widened by it
};
inline constexpr TrackingLimits kHandLimits{40, 0.2f, 0.4f, -0.1f};
inline constexpr TrackingLimits kFaceLimits{15, 0.1f, 0.3f, -0.2f};

// Whether `before`, the region of `landmarks`, still holds beside `found`. NaN does not hold.
bool StillHolds(const NormalizedRect& before, std::span<const Landmark> landmarks,
                const NormalizedRect& found, const TrackingLimits& limits, ImageSize image);

}  // namespace holostat::vision
