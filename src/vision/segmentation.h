#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "vision/crop.h"

namespace holostat::vision {

// Turns the mask logits of the pose model into probabilities.
void DecodeMask(std::span<const float> logits, std::span<float> probabilities);

}  // namespace holostat::vision
