#include "vision/region_tracking.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace holostat::vision {
namespace {

// Pixels, along the axes of a turned region.
class Axes {
 public:
  Axes(float rotation, ImageSize image)
      : width_(static_cast<float>(image.width)),
        height_(static_cast<float>(image.height)),
        cos_(std::cos(-rotation)),
        sin_(std::sin(-rotation)) {}

  Point Turned(float x, float y) const {
    const float px = x * width_, py = y * height_;
    return {px * cos_ - py * sin_, px * sin_ + py * cos_};
  }
  Point SizeOf(const NormalizedRect& rect) const {
    return {rect.width * width_, rect.height * height_};
  }

 private:
  float width_, height_, cos_, sin_;
};

float DegreesBetween(float a, float b) {
  constexpr float kDegrees = static_cast<float>(180 / std::numbers::pi);
  return std::abs(NormalizeRadians(a - b)) * kDegrees;
}

}  // namespace

bool StillHolds(const NormalizedRect& before, std::span<const Landmark> landmarks,
                const NormalizedRect& found, const TrackingLimits& limits, ImageSize image) {
  if (!(DegreesBetween(before.rotation, found.rotation) <= limits.rotation_degrees)) return false;

  const Axes axes(found.rotation, image);
  const Point size = axes.SizeOf(found), old_size = axes.SizeOf(before);
  const Point center = axes.Turned(found.x_center, found.y_center);
  const Point old_center = axes.Turned(before.x_center, before.y_center);
  if (!(std::abs(old_center.x - center.x) <= size.x * limits.translation)) return false;
  if (!(std::abs(old_center.y - center.y) <= size.y * limits.translation)) return false;
  if (!(std::abs(old_size.x - size.x) <= size.x * limits.scale)) return false;
  if (!(std::abs(old_size.y - size.y) <= size.y * limits.scale)) return false;

  const float reach_x = size.x * (1 + limits.margin) / 2;
  const float reach_y = size.y * (1 + limits.margin) / 2;
  return std::ranges::all_of(landmarks, [&](const Landmark& landmark) {
    const Point p = axes.Turned(landmark.x, landmark.y);
    return std::abs(p.x - center.x) < reach_x && std::abs(p.y - center.y) < reach_y;
  });
}

}  // namespace holostat::vision
