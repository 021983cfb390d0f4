#include "vision/normalized_rect.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace holostat::vision {

float NormalizeRadians(float angle) {
  // In double, as the reference does: a float floor() would move angles next to the seam.
  constexpr double kPi = std::numbers::pi;
  const double wide = static_cast<double>(angle);
  return static_cast<float>(wide - 2 * kPi * std::floor((wide + kPi) / (2 * kPi)));
}

float RotationBetween(Point from, Point to, float target_degrees, ImageSize image) {
  const float width = static_cast<float>(image.width);
  const float height = static_cast<float>(image.height);
  const float dx = to.x * width - from.x * width;
  const float dy = to.y * height - from.y * height;
  const float target =
      static_cast<float>(std::numbers::pi * static_cast<double>(target_degrees) / 180.0);
  return NormalizeRadians(target - std::atan2(-dy, dx));
}

NormalizedRect Transformed(const NormalizedRect& rect, const RectTransform& transform,
                           ImageSize image) {
  const float image_width = static_cast<float>(image.width);
  const float image_height = static_cast<float>(image.height);
  NormalizedRect out = rect;
  if (rect.rotation == 0.0f) {
    out.x_center += rect.width * transform.shift_x;
    out.y_center += rect.height * transform.shift_y;
  } else {
    const float c = std::cos(rect.rotation);
    const float s = std::sin(rect.rotation);
    out.x_center += (image_width * rect.width * transform.shift_x * c -
                     image_height * rect.height * transform.shift_y * s) /
                    image_width;
    out.y_center += (image_width * rect.width * transform.shift_x * s +
                     image_height * rect.height * transform.shift_y * c) /
                    image_height;
  }
  const float long_side = std::max(rect.width * image_width, rect.height * image_height);
  out.width = long_side / image_width * transform.scale;
  out.height = long_side / image_height * transform.scale;
  return out;
}

}  // namespace holostat::vision
