#include "render/hand_cover.h"

#include <algorithm>
#include <cmath>

#include "render/topology.h"
#include "render/triangle_fill.h"

namespace holostat::render {
namespace {

// Of the length of the palm (wrist to the middle finger's knuckle): half a finger's breadth, half
// a breadth where the fingers leave the palm, and the soft edge around them.
constexpr float kFinger = 0.13f, kPalm = 0.2f, kSoft = 0.08f;
constexpr std::size_t kWrist = 0, kMiddleKnuckle = 9;
// The palm's outline.
constexpr std::array<std::size_t, 6> kOutline = {0, 1, 5, 9, 13, 17};

using Points = std::array<Vec2, kHandLandmarkCount>;

float DistanceTo(const Vec2& a, const Vec2& b, float x, float y) {
  const float dx = b.x - a.x, dy = b.y - a.y;
  const float squared = dx * dx + dy * dy;
  const float along =
      squared > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / squared, 0.0f, 1.0f) : 0;
  return std::hypot(x - a.x - along * dx, y - a.y - along * dy);
}

// Even-odd rule.
bool IsInPalm(const Points& points, float x, float y) {
  bool inside = false;
  for (std::size_t i = 0; i < kOutline.size(); ++i) {
    const Vec2& a = points[kOutline[i]];
    const Vec2& b = points[kOutline[(i + 1) % kOutline.size()]];
    if ((a.y > y) == (b.y > y)) continue;
    if (x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

// How far (x, y) is outside the hand, in pixels; less than 0: inside.
float DistanceOutside(const Points& points, float palm, float x, float y) {
  if (IsInPalm(points, x, y)) return -1;
  float least = 1e9f;
  for (const Edge& edge : HandEdges()) {
    const bool is_palm =
        edge.from == kWrist || edge.to == kWrist || (edge.from % 4 == 1 && edge.to % 4 == 1);
    const float reach = palm * (is_palm ? kPalm : kFinger);
    least = std::min(least, DistanceTo(points[edge.from], points[edge.to], x, y) - reach);
  }
  return least;
}

}  // namespace

void HandCover::Measure(const Person& person, int width, int height, const Box& face) {
  empty_ = true;
  box_ = face;
  if (!(face.right > face.left) || !(face.bottom > face.top)) return;
  to_cell_x_ = kSide / (face.right - face.left);
  to_cell_y_ = kSide / (face.bottom - face.top);
  for (const auto* hand : {&person.left_hand, &person.right_hand}) {
    if (*hand) Add(**hand, width, height);
  }
}

void HandCover::Add(const Hand& hand, int width, int height) {
  Points points;
  Box box{1e9f, 1e9f, -1e9f, -1e9f};
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {hand.landmarks[i].x * static_cast<float>(width),
                 hand.landmarks[i].y * static_cast<float>(height)};
    if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y)) return;
    box = {std::min(box.left, points[i].x), std::min(box.top, points[i].y),
           std::max(box.right, points[i].x), std::max(box.bottom, points[i].y)};
  }
  const float palm = std::hypot(points[kMiddleKnuckle].x - points[kWrist].x,
                                points[kMiddleKnuckle].y - points[kWrist].y);
  const float reach = palm * (kPalm + kSoft);
  const auto cell = [](float place) {
    return static_cast<int>(std::clamp(std::floor(place), 0.0f, float(kSide)));
  };
  const int left = cell((box.left - reach - box_.left) * to_cell_x_),
            right = cell((box.right + reach - box_.left) * to_cell_x_ + 1);
  const int top = cell((box.top - reach - box_.top) * to_cell_y_),
            bottom = cell((box.bottom + reach - box_.top) * to_cell_y_ + 1);
  if (left >= right || top >= bottom || !(palm > 0)) return;
  if (empty_) cover_.fill(0);
  empty_ = false;
  for (int j = top; j < bottom; ++j) {
    for (int i = left; i < right; ++i) {
      const float x = box_.left + (static_cast<float>(i) + 0.5f) / to_cell_x_;
      const float y = box_.top + (static_cast<float>(j) + 0.5f) / to_cell_y_;
      const float outside = DistanceOutside(points, palm, x, y) / (palm * kSoft);
      float& cover = cover_[static_cast<std::size_t>(j * kSide + i)];
      cover = std::max(cover, std::clamp(1 - outside, 0.0f, 1.0f));
    }
  }
}

float HandCover::At(float x, float y) const {
  const float u = std::clamp((x - box_.left) * to_cell_x_ - 0.5f, 0.0f, kSide - 1.001f);
  const float v = std::clamp((y - box_.top) * to_cell_y_ - 0.5f, 0.0f, kSide - 1.001f);
  const int i = static_cast<int>(u), j = static_cast<int>(v);
  const float fu = u - static_cast<float>(i), fv = v - static_cast<float>(j);
  const float* cell = cover_.data() + j * kSide + i;
  const float above = cell[0] + fu * (cell[1] - cell[0]);
  const float below = cell[kSide] + fu * (cell[kSide + 1] - cell[kSide]);
  return above + fv * (below - above);
}

}  // namespace holostat::render
