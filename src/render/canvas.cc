#include "render/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace holostat::render {
namespace {

constexpr int kTileSide = 64;

// Pixels [left, right) x [top, bottom).
struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool empty() const { return left >= right || top >= bottom; }
  Box Within(const Box& other) const {
    return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
            std::min(bottom, other.bottom)};
  }
  Box Around(const Box& other) const {
    if (empty()) return other;
    return {std::min(left, other.left), std::min(top, other.top), std::max(right, other.right),
            std::max(bottom, other.bottom)};
  }
};

// The pixels a segment can touch when it is `reach` wide to each side.
Box BoxOf(const Segment& s, double reach) {
  const auto low = [&](double a, double b) {
    return static_cast<int>(std::floor(std::min(a, b) - reach));
  };
  const auto high = [&](double a, double b) {
    return static_cast<int>(std::ceil(std::max(a, b) + reach));
  };
  return {low(s.from.x, s.to.x), low(s.from.y, s.to.y), high(s.from.x, s.to.x),
          high(s.from.y, s.to.y)};
}

// How much of each pixel of a tile is covered, 0..1.
struct Tile {
  Box box;
  std::array<float, std::size_t{kTileSide} * kTileSide> coverage;
};

// Raises the coverage of `tile` to that of a line of `radius` around `s`.
void Cover(const Segment& s, double radius, Tile& tile) {
  const double reach = radius + 0.5;
  const Box box = BoxOf(s, reach).Within(tile.box);
  if (box.empty()) return;
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  const double squared_length = dx * dx + dy * dy;
  const double to_share = squared_length > 0 ? 1 / squared_length : 0;
  const double length = std::sqrt(squared_length);
  // A line thinner than a pixel covers its width's share of the pixels that it crosses.
  const float most = static_cast<float>(std::min(1.0, 2 * radius));
  for (int y = box.top; y < box.bottom; ++y) {
    const double py = y + 0.5 - s.from.y;
    int left = box.left, right = box.right;
    if (std::abs(dy) > 1e-3) {
      // Where this row crosses the strip of that width along the line.
      const double middle = s.from.x + py * dx / dy, half = reach * length / std::abs(dy);
      left = static_cast<int>(std::clamp<double>(std::floor(middle - half), left, right));
      right = static_cast<int>(std::clamp<double>(std::ceil(middle + half), left, right));
    }
    float* row = &tile.coverage[static_cast<std::size_t>(y - tile.box.top) * kTileSide];
    for (int x = left; x < right; ++x) {
      const double px = x + 0.5 - s.from.x;
      const double share = std::clamp((px * dx + py * dy) * to_share, 0.0, 1.0);
      const double qx = px - share * dx, qy = py - share * dy;
      const auto depth = static_cast<float>(reach - std::sqrt(qx * qx + qy * qy));
      float& covered = row[x - tile.box.left];
      covered = std::max(covered, std::min(depth, most));
    }
  }
}

// `opacity` in 1/256.
void Blend(Rgb color, int opacity, std::uint8_t* pixel) {
  const auto mixed = [&](int paint, int old) {
    return static_cast<std::uint8_t>((old * (256 - opacity) + paint * opacity + 128) >> 8);
  };
  pixel[0] = mixed(color.r, pixel[0]);
  pixel[1] = mixed(color.g, pixel[1]);
  pixel[2] = mixed(color.b, pixel[2]);
}

void BlendTile(const Tile& tile, const ToneStyle& style, Image& image) {
  const float opacity = 256 * style.opacity;
  for (int y = tile.box.top; y < tile.box.bottom; ++y) {
    const float* row = &tile.coverage[static_cast<std::size_t>(y - tile.box.top) * kTileSide];
    std::uint8_t* pixel = image.row(y) + std::ptrdiff_t{3} * tile.box.left;
    for (int x = tile.box.left; x < tile.box.right; ++x, pixel += 3) {
      const float covered = row[x - tile.box.left];
      if (covered > 0) Blend(style.color, static_cast<int>(covered * opacity), pixel);
    }
  }
}

// The mask's probability at (u, v), fractions of the mask in 0..1: bilinear, zero outside. As in
// RenderMask, fractions times the size are used as indices, without half a pixel.
float Sample(std::span<const float> mask, float u, float v) {
  // Values stand at the centres of the mask's cells; before the first centre the first value holds.
  const float x = std::max(u * kMaskSize - 0.5f, 0.0f), y = std::max(v * kMaskSize - 0.5f, 0.0f);
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
  const auto mix = [&](float a, float b, float c, float d) {
    const float above = a + (b - a) * fx, below = c + (d - c) * fx;
    const float value = above + (below - above) * fy;
    return value > 0 ? std::min(value, 1.0f) : 0.0f;  // NaN is 0 as well
  };
  if (x0 < kMaskSize - 1 && y0 < kMaskSize - 1) [[likely]] {
    const float* at =
        &mask[static_cast<std::size_t>(y0) * kMaskSize + static_cast<std::size_t>(x0)];
    return mix(at[0], at[1], at[kMaskSize], at[kMaskSize + 1]);
  }
  const auto at = [&](int i, int j) {
    const bool inside = i < kMaskSize && j < kMaskSize;
    return inside ? mask[static_cast<std::size_t>(j) * kMaskSize + static_cast<std::size_t>(i)]
                  : 0.0f;
  };
  return mix(at(x0, y0), at(x0 + 1, y0), at(x0, y0 + 1), at(x0 + 1, y0 + 1));
}

// From 0 to 1 between `low` and `high`, without corners.
float SmoothStep(float low, float high, float value) {
  const float t = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

constexpr int kProbabilitySteps = 255;

// Opacity of the tint in 1/256 for each probability: even and faint inside, stronger along the
// border, fading out beyond it.
std::array<int, kProbabilitySteps + 1> TintOpacities() {
  std::array<int, kProbabilitySteps + 1> opacities{};
  for (int i = 0; i <= kProbabilitySteps; ++i) {
    const float p = static_cast<float>(i) / kProbabilitySteps;
    const float inside = SmoothStep(0.2f, 0.7f, p);
    const float border = SmoothStep(0.2f, 0.5f, p) * (1 - SmoothStep(0.5f, 0.9f, p));
    opacities[static_cast<std::size_t>(i)] =
        static_cast<int>(256 * (0.16f * inside + 0.34f * border));
  }
  return opacities;
}

}  // namespace

void Canvas::Stroke(const ToneStyle& style, double width, std::span<const Segment> segments) {
  const double radius = width / 2;
  const Box picture{0, 0, image_.width(), image_.height()};
  Box shape;
  for (const Segment& s : segments) {
    const Box box = BoxOf(s, radius + 0.5).Within(picture);
    if (!box.empty()) shape = shape.Around(box);
  }
  Tile tile;
  for (int top = shape.top; top < shape.bottom; top += kTileSide) {
    for (int left = shape.left; left < shape.right; left += kTileSide) {
      tile.box = Box{left, top, left + kTileSide, top + kTileSide}.Within(shape);
      tile.coverage.fill(0);
      for (const Segment& s : segments) Cover(s, radius, tile);
      BlendTile(tile, style, image_);
    }
  }
}

void Canvas::Tint(const SegmentationMask& mask, Rgb color) {
  if (mask.values.size() != std::size_t{kMaskSize} * kMaskSize) return;
  const auto& m = mask.image_to_mask;
  const auto opacities = TintOpacities();
  const auto width = static_cast<float>(image_.width());
  const auto height = static_cast<float>(image_.height());
  for (int y = 0; y < image_.height(); ++y) {
    std::uint8_t* pixel = image_.row(y);
    const float v = (static_cast<float>(y) + 0.5f) / height;
    for (int x = 0; x < image_.width(); ++x, pixel += 3) {
      const float u = (static_cast<float>(x) + 0.5f) / width;
      const float mask_u = m[0] * u + m[1] * v + m[2], mask_v = m[3] * u + m[4] * v + m[5];
      // Not the other way round: so that a matrix with NaN or infinities in it is outside as well.
      if (!(mask_u >= 0 && mask_u < 1 && mask_v >= 0 && mask_v < 1)) continue;
      const float probability = Sample(mask.values, mask_u, mask_v);
      const int opacity = opacities[static_cast<std::size_t>(probability * kProbabilitySteps)];
      if (opacity > 0) Blend(color, opacity, pixel);
    }
  }
}

}  // namespace holostat::render
