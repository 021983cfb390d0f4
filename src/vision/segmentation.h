#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "vision/crop.h"

namespace holostat::vision {

// Where the model, given the pixels of SampleRegion, places the picture's: SegmentationMask's map.
Matrix2x3 ImageToMask(const PixelRegion& region, ImageSize image, Sampling sampling);

// Turns the mask logits of the pose model into probabilities.
void DecodeMask(std::span<const float> logits, std::span<float> probabilities);

}  // namespace holostat::vision
