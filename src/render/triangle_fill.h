#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace holostat::render {

struct Vec2 {
  float x = 0, y = 0;
};

// Twice the area, negative where a, b, c turn to the left in a picture whose y goes down.
inline float Cross(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Where a line from `from` down to `to` is at height y. REQUIRES: from.y < to.y.
inline double AcrossAt(const Vec2& from, const Vec2& to, double y) {
  const double share = (y - double{from.y}) / (double{to.y} - double{from.y});
  return double{from.x} + share * (double{to.x} - double{from.x});
}

// Calls row(y, left, right) for each row of pixels [left, right) whose centres lie in the triangle
// and in [0, width) x [0, height). Triangles with a side in common share no pixel there and leave
// none out. REQUIRES: finite corners.
template <class Row>
void FillTriangle(std::array<Vec2, 3> p, int width, int height, Row&& row) {
  // Sides always run downwards, so that both triangles at one find the same places on it.
  const auto is_above = [](const Vec2& a, const Vec2& b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
  };
  if (is_above(p[1], p[0])) std::swap(p[0], p[1]);
  if (is_above(p[2], p[1])) std::swap(p[1], p[2]);
  if (is_above(p[1], p[0])) std::swap(p[0], p[1]);
  const auto first_at = [](double place, int most) {
    return static_cast<int>(std::clamp(std::ceil(place - 0.5), 0.0, double(most)));
  };
  const int top = first_at(double{p[0].y}, height), bottom = first_at(double{p[2].y}, height);
  for (int y = top; y < bottom; ++y) {
    const double centre = y + 0.5;
    const bool is_upper = centre < double{p[1].y};
    const double a = AcrossAt(p[0], p[2], centre);
    const double b = is_upper ? AcrossAt(p[0], p[1], centre) : AcrossAt(p[1], p[2], centre);
    const int left = first_at(std::min(a, b), width), right = first_at(std::max(a, b), width);
    if (left < right) row(y, left, right);
  }
}

}  // namespace holostat::render
