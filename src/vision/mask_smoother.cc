#include "vision/mask_smoother.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "vision/segmentation.h"

namespace holostat::vision {
namespace {

constexpr float kRatio = 0.7f;  // of the old probability, where the new one is unsure
constexpr std::size_t kSide = kMaskSize;

// Row-major 2x3.
using Map = std::array<double, 6>;

// From fractions of one mask, through the picture, to fractions of another.
std::optional<Map> Between(const std::array<float, 6>& image_to_from,
                           const std::array<float, 6>& image_to_to) {
  Map f, t;
  std::ranges::copy(image_to_from, f.begin());
  std::ranges::copy(image_to_to, t.begin());
  const double determinant = f[0] * f[4] - f[1] * f[3];
  if (!(std::abs(determinant) > 0)) return std::nullopt;  // NaN too
  const double a = f[4] / determinant, b = -f[1] / determinant;
  const double c = -f[3] / determinant, d = f[0] / determinant;
  const double x = -(a * f[2] + b * f[5]), y = -(c * f[2] + d * f[5]);
  return Map{t[0] * a + t[1] * c, t[0] * b + t[1] * d, t[0] * x + t[1] * y + t[2],
             t[3] * a + t[4] * c, t[3] * b + t[4] * d, t[3] * x + t[4] * y + t[5]};
}

// `values` with those of `before`, which `to_before` leads to.
void Blend(const Map& to_before, std::span<const float> before, std::span<float> values) {
  for (std::size_t row = 0; row < kSide; ++row) {
    const double v = (static_cast<double>(row) + 0.5) / kSide;
    for (std::size_t column = 0; column < kSide; ++column) {
      const double u = (static_cast<double>(column) + 0.5) / kSide;
      const double x = to_before[0] * u + to_before[1] * v + to_before[2];
      const double y = to_before[3] * u + to_before[4] * v + to_before[5];
      float& value = values[row * kSide + column];
      value = SmoothedProbability(value, SampleMask(before, kSide * x - 0.5, kSide * y - 0.5));
    }
  }
}

}  // namespace

float SmoothedProbability(float now, float before) {
  // A polynomial near to the entropy of `now` in bits, 1 at 0.5 and 0 at both ends.
  const float t = now - 0.5f;
  const float x = t * t;
  const float unsure =
      1.0f -
      std::min(1.0f, x * (5.68842f +
                          x * (-0.748699f + x * (-57.8051f + x * (291.309f + x * -624.717f)))));
  return now + (before - now) * (unsure * kRatio);
}

void MaskSmoother::Apply(const SegmentationMask& mask, std::span<float> values) {
  HOLO_CHECK(values.size() == kMaskValues);
  const auto to_before = Between(mask.image_to_mask, image_to_before_);
  if (!before_.empty() && to_before) Blend(*to_before, before_, values);
  before_.assign(values.begin(), values.end());
  image_to_before_ = mask.image_to_mask;
}

}  // namespace holostat::vision
