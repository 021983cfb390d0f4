#pragma once

#include "holostat/image.h"
#include "media/tensor_target.h"

namespace holostat::media {

// Resamples a part of `source` into a model's input with exact positions: bilinear between the four
// pixels around each position, in float, nothing rounded, as a graphics card does it. The sampler
// of the product; opencv_warp.h has the one to compare with.
//
// Outside the picture, whose edge lies half a pixel beyond the centres of its outer pixels:
// kReplicate repeats the outer pixels, kZero is 0 at once, without a fade.
// Positions may be anything; a NaN counts as far outside, to the right or below. An empty source is
// all border zeros. Thread-safe; no heap call.
// REQUIRES: target.values.size() == width * height * 3.
void WarpToTensor(const ImageView& source, const Affine& destination_to_source, Border border,
                  const TensorTarget& target);

}  // namespace holostat::media
