#pragma once

#include <algorithm>
#include <array>
#include <utility>

namespace holostat::render {

struct Vec2 {
  float x = 0, y = 0;
};

// Twice the area, negative where a, b, c turn to the left in a picture whose y goes down.
inline float Cross(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// A side that runs downwards, so that both triangles at it find the same places on it.
struct DownwardSide {
  double x, y, slope;

  DownwardSide(const Vec2& from, const Vec2& to)
      : x(double{from.x}), y(double{from.y}), slope((double{to.x} - x) / (double{to.y} - y)) {}
  double AcrossAt(double height) const { return x + (height - y) * slope; }
};

// The first pixel whose centre is not before `place`, 0..most.
inline int FirstPixelAt(double place, int most) {
  const double least = std::clamp(place - 0.5, 0.0, static_cast<double>(most));
  const int below = static_cast<int>(least);  // std::ceil is a call on a plain x86-64
  return below + (below < least ? 1 : 0);
}

// Calls row(y, left, right) for each row of pixels [left, right) whose centres lie in the triangle
// and in [0, width) x [0, height). Triangles with a side in common share no pixel there and leave
// none out. REQUIRES: finite corners.
template <class Row>
void FillTriangle(std::array<Vec2, 3> p, int width, int height, Row&& row) {
  const auto is_above = [](const Vec2& a, const Vec2& b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
  };
  if (is_above(p[1], p[0])) std::swap(p[0], p[1]);
  if (is_above(p[2], p[1])) std::swap(p[1], p[2]);
  if (is_above(p[1], p[0])) std::swap(p[0], p[1]);
  const int top = FirstPixelAt(double{p[0].y}, height),
            bottom = FirstPixelAt(double{p[2].y}, height);
  const int middle = std::clamp(FirstPixelAt(double{p[1].y}, height), top, bottom);
  const DownwardSide whole(p[0], p[2]), upper(p[0], p[1]), lower(p[1], p[2]);
  const auto fill = [&](int from, int to, const DownwardSide& other) {
    for (int y = from; y < to; ++y) {
      const double a = whole.AcrossAt(y + 0.5), b = other.AcrossAt(y + 0.5);
      const int left = FirstPixelAt(std::min(a, b), width);
      const int right = FirstPixelAt(std::max(a, b), width);
      if (left < right) row(y, left, right);
    }
  };
  fill(top, middle, upper);  // no row where a side is level, and its slope endless
  fill(middle, bottom, lower);
}

}  // namespace holostat::render
