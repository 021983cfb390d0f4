#pragma once

#include <cmath>
#include <span>

#include "vision/crop.h"
#include "vision/detection.h"
#include "vision/normalized_rect.h"

namespace holostat::vision {

// From the crop a model saw back to the picture (docs/pipeline.md, "Detections", "Landmarks").

// From fractions of a padded crop to fractions of the region without the bands. P has x, y, z.
template <class P>
void RemoveLetterbox(const Padding& padding, std::span<P> points) {
  const float inner_width = 1.0f - (padding.left + padding.right);
  const float inner_height = 1.0f - (padding.top + padding.bottom);
  for (P& p : points) {
    p.x = (p.x - padding.left) / inner_width;
    p.y = (p.y - padding.top) / inner_height;
    p.z = p.z / inner_width;
  }
}

// From fractions of `region` (without padding) to fractions of the picture; z takes the scale of x.
// Valid for regions that are square in pixels, as all of ours are.
template <class P>
void ProjectToImage(const NormalizedRect& region, std::span<P> points) {
  const float c = std::cos(region.rotation);
  const float s = std::sin(region.rotation);
  for (P& p : points) {
    const float u = p.x - 0.5f;
    const float v = p.y - 0.5f;
    p.x = (c * u - s * v) * region.width + region.x_center;
    p.y = (s * u + c * v) * region.height + region.y_center;
    p.z = p.z * region.width;
  }
}

// Turns points in metres, seen by a model in a crop of that rotation, upright.
template <class P>
void RotateWorld(float rotation, std::span<P> points) {
  const float c = std::cos(rotation);
  const float s = std::sin(rotation);
  for (P& p : points) {
    const float x = p.x, y = p.y;
    p.x = c * x - s * y;
    p.y = s * x + c * y;
  }
}

// A detection in a letterboxed whole picture, in fractions of the picture.
Detection RemoveLetterbox(const Padding& padding, const Detection& detection);

// A detection in a region, in fractions of the picture; the box becomes the upright hull.
Detection ProjectToImage(const Matrix2x3& region_to_image, const Detection& detection);

}  // namespace holostat::vision
