#pragma once

#include <array>
#include <optional>

#include "holostat/holistic_tracker.h"
#include "media/tensor_target.h"
#include "vision/normalized_rect.h"

namespace holostat::vision {

// A rotated rectangle of a picture in pixels.
struct PixelRegion {
  float center_x = 0, center_y = 0;
  float width = 0, height = 0;
  float rotation = 0;  // radians, clockwise on the screen
};

PixelRegion WholeImage(ImageSize image);

// Nothing when there is nothing to look at: a side that is not positive, or a value so far out
// (over 1e6 pictures) or so undefined (NaN) that it can only come from nonsense landmarks.
std::optional<PixelRegion> ToPixels(const NormalizedRect& rect, ImageSize image);

// The bands that letterboxing put around the region, in fractions of the padded one.
struct Padding {
  float left = 0, top = 0, right = 0, bottom = 0;
};

// Widens or heightens `region` around its centre to the aspect of a tensor.
Padding PadToAspect(PixelRegion& region, int tensor_width, int tensor_height);

// Where the pixels of a tensor come from, in pixel indices (the centre of pixel k is at k).
// kPixelCentres: index (i, j) is sampled (i + 1/2) / width of the way along the region's upper edge
// and (j + 1/2) / height along its left edge, both measured from the outer edge of the picture.
// kOpenCv: i / width and j / height of the way, and edge and centre of pixel 0 are confused, as in
// the reference on a CPU (docs/pipeline.md, "Sampling").
media::Affine SamplingMatrix(const PixelRegion& region, int tensor_width, int tensor_height,
                             Sampling sampling);

// Fills a tensor with the pixels of `region`. No heap call.
void SampleRegion(const ImageView& image, const PixelRegion& region, Sampling sampling,
                  media::Border border, const media::TensorTarget& target);

// Row-major 2x3.
using Matrix2x3 = std::array<float, 6>;

// From fractions of `region` to fractions of the picture.
Matrix2x3 RegionToImage(const PixelRegion& region, ImageSize image);
Matrix2x3 ImageToRegion(const PixelRegion& region, ImageSize image);

Point Apply(const Matrix2x3& matrix, Point p);

}  // namespace holostat::vision
