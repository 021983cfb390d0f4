#pragma once

#include "media/warp.h"

namespace holostat::media {

// Resamples a part of `source` into a model's input with exact positions: bilinear between the four
// pixels around each position, in float, nothing rounded. What a graphics card does, and what
// WarpToTensor approximates in 1/32 pixel and 8 bits.
//
// Outside the picture, whose edge lies half a pixel beyond the centres of its outer pixels:
// kReplicate repeats the outer pixels, kZero is 0 at once (it does not fade as in WarpToTensor).
// Positions may be anything; a NaN counts as far outside, to the right or below. An empty source is
// all border zeros. Thread-safe; no heap call.
// REQUIRES: target.values.size() == width * height * 3.
void ExactWarpToTensor(const ImageView& source, const Affine& destination_to_source, Border border,
                       const TensorTarget& target);

}  // namespace holostat::media
