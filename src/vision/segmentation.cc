#include "vision/segmentation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/check.h"
#include "vision/activation.h"

namespace holostat::vision {
namespace {

float ValueAt(std::span<const float> values, int x, int y) {
  if (x < 0 || x >= kMaskSize || y < 0 || y >= kMaskSize) return 0;
  return values[static_cast<std::size_t>(y * kMaskSize + x)];
}

}  // namespace

void DecodeMask(std::span<const float> logits, std::span<float> probabilities) {
  HOLO_CHECK(logits.size() == probabilities.size());
  for (std::size_t i = 0; i < logits.size(); ++i) probabilities[i] = Sigmoid(logits[i]);
}

Matrix2x3 ImageToMask(const PixelRegion& region, ImageSize image, Sampling sampling) {
  Matrix2x3 m = ImageToRegion(region, image);
  if (sampling == Sampling::kOpenCv) {
    // Index u of the picture was at index kMaskSize * m(u / size) of the tensor, both without half
    // a pixel; the same in positions that count from the edges.
    const float u = 0.5f / static_cast<float>(image.width);
    const float v = 0.5f / static_cast<float>(image.height);
    m[2] += 0.5f / kMaskSize - m[0] * u - m[1] * v;
    m[5] += 0.5f / kMaskSize - m[3] * u - m[4] * v;
  }
  return m;
}

float SampleMask(std::span<const float> values, double x, double y) {
  constexpr double kEnd = kMaskSize;
  if (!(x > -1 && x < kEnd && y > -1 && y < kEnd)) return 0;  // NaN too
  const double left = std::floor(x), top = std::floor(y);
  const float fx = static_cast<float>(x - left), fy = static_cast<float>(y - top);
  const int ix = static_cast<int>(left), iy = static_cast<int>(top);
  const float upper = ValueAt(values, ix, iy) * (1 - fx) + ValueAt(values, ix + 1, iy) * fx;
  const float lower = ValueAt(values, ix, iy + 1) * (1 - fx) + ValueAt(values, ix + 1, iy + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

}  // namespace holostat::vision

namespace holostat {
namespace {

constexpr std::size_t kMaskValues = static_cast<std::size_t>(kMaskSize) * kMaskSize;

std::uint8_t ToByte(float probability) {
  if (!(probability > 0)) return 0;  // NaN too
  return static_cast<std::uint8_t>(std::min(probability, 1.0f) * 255.0f + 0.5f);
}

}  // namespace

void RenderMask(const SegmentationMask& mask, std::uint8_t* destination, int width, int height,
                std::ptrdiff_t stride_bytes) {
  if (width <= 0 || height <= 0) return;
  const auto& m = mask.image_to_mask;
  const double step_x = double{kMaskSize} * static_cast<double>(m[0]) / width;
  const double step_y = double{kMaskSize} * static_cast<double>(m[3]) / width;
  for (int row = 0; row < height; ++row) {
    std::uint8_t* out = destination + row * stride_bytes;
    if (mask.values.size() != kMaskValues) {
      std::memset(out, 0, static_cast<std::size_t>(width));
      continue;
    }
    const double v = (row + 0.5) / height;
    const double x = kMaskSize * (static_cast<double>(m[1]) * v + static_cast<double>(m[2])) - 0.5;
    const double y = kMaskSize * (static_cast<double>(m[4]) * v + static_cast<double>(m[5])) - 0.5;
    for (int column = 0; column < width; ++column) {
      out[column] = ToByte(vision::SampleMask(mask.values, x + step_x * (column + 0.5),
                                              y + step_y * (column + 0.5)));
    }
  }
}

}  // namespace holostat
