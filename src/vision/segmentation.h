#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "vision/crop.h"

namespace holostat::vision {

// Where the model, given the pixels of SampleRegion, places the picture's: SegmentationMask's map.
Matrix2x3 ImageToMask(const PixelRegion& region, ImageSize image, Sampling sampling);

// Turns the mask logits of the pose model into probabilities.
void DecodeMask(std::span<const float> logits, std::span<float> probabilities);

// The value of a mask at a position in its cells, counted from the middle of the first one:
// bilinear, blending to zero over the outermost cell. REQUIRES: values.size() == kMaskSize squared.
float SampleMask(std::span<const float> values, double x, double y);

}  // namespace holostat::vision
