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

float ValueAt(std::span<const float> mask, int x, int y) {
  if (x < 0 || x >= kMaskSize || y < 0 || y >= kMaskSize) return 0;
  return mask[static_cast<std::size_t>(y) * kMaskSize + static_cast<std::size_t>(x)];
}

// The probability, 0..255, at a position in indices of the mask: bilinear between the centres of
// its values, fading to zero over the pixel around the outermost ones. The same arithmetic as that
// of RenderMask, so that the tint ends where the mask does (canvas_mask_test holds both together).
std::uint8_t Sample(std::span<const float> mask, double x, double y) {
  constexpr double kEnd = kMaskSize;
  // Not the other way round: so that a place with NaN or infinities in it is outside as well.
  if (!(x > -1 && x < kEnd && y > -1 && y < kEnd)) return 0;
  const int left = static_cast<int>(x + 1) - 1, top = static_cast<int>(y + 1) - 1;
  const float fx = static_cast<float>(x - left), fy = static_cast<float>(y - top);
  const auto mix = [&](float a, float b, float c, float d) {
    const float above = a * (1 - fx) + b * fx, below = c * (1 - fx) + d * fx;
    const float value = above * (1 - fy) + below * fy;
    if (!(value > 0)) return std::uint8_t{0};  // NaN too
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): not negative, and as RenderMask rounds
    return static_cast<std::uint8_t>(std::min(value, 1.0f) * 255.0f + 0.5f);
  };
  if (left >= 0 && top >= 0 && left < kMaskSize - 1 && top < kMaskSize - 1) [[likely]] {
    const float* at =
        &mask[static_cast<std::size_t>(top) * kMaskSize + static_cast<std::size_t>(left)];
    return mix(at[0], at[1], at[kMaskSize], at[kMaskSize + 1]);
  }
  return mix(ValueAt(mask, left, top), ValueAt(mask, left + 1, top), ValueAt(mask, left, top + 1),
             ValueAt(mask, left + 1, top + 1));
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
  const int width = image_.width(), height = image_.height();
  const double step_x = double{kMaskSize} * static_cast<double>(m[0]) / width;
  const double step_y = double{kMaskSize} * static_cast<double>(m[3]) / width;
  for (int row = 0; row < height; ++row) {
    std::uint8_t* pixel = image_.row(row);
    const double v = (row + 0.5) / height;
    const double x = kMaskSize * (static_cast<double>(m[1]) * v + static_cast<double>(m[2])) - 0.5;
    const double y = kMaskSize * (static_cast<double>(m[4]) * v + static_cast<double>(m[5])) - 0.5;
    for (int column = 0; column < width; ++column, pixel += 3) {
      const double along = column + 0.5;
      const int opacity = opacities[Sample(mask.values, x + step_x * along, y + step_y * along)];
      if (opacity > 0) Blend(color, opacity, pixel);
    }
  }
}

}  // namespace holostat::render
