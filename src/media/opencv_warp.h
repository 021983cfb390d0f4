#pragma once

#include "holostat/image.h"
#include "media/tensor_target.h"

namespace holostat::media {

// As WarpToTensor (warp.h), but with the numerics of OpenCV's 8-bit bilinear warp (positions
// rounded half to even to 1/32 pixel, weights in 1/1024, result rounded to uint8), so that it
// equals cv::warpPerspective given the same map (WARP_INVERSE_MAP) bit for bit. For comparison with
// what samples so; it does not call OpenCV.
//
// kZero fades over the pixel beyond the outer centres. Positions may be anywhere: beyond 2^26
// pixels they saturate there (far outside, on their side), and a coordinate that is NaN counts as
// far to the right or below. An empty source is all border zeros. Thread-safe; no heap call.
// REQUIRES: target.values.size() == width * height * 3, default floating-point rounding mode.
void OpenCvWarpToTensor(const ImageView& source, const Affine& destination_to_source, Border border,
                        const TensorTarget& target);

}  // namespace holostat::media
