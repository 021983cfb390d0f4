#include "render/id_label.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace holostat::render {
namespace {

constexpr double kHeightOfPicture = 0.03, kLeastHeight = 10;       // of the shorter side; pixels
constexpr double kDigitWidth = 0.55, kGap = 0.35, kStroke = 0.16;  // of a digit
constexpr double kAboveEyes = 1.6;  // in distances from there to the mouth: over the hair
constexpr std::size_t kHeadPoints = 11;

// The strokes of a digit, in its own box of 1 x 1: top, upper left and right, middle, lower left
// and right, bottom.
constexpr Segment kPlaces[] = {{{0, 0}, {1, 0}},     {{0, 0}, {0, 0.5}}, {{1, 0}, {1, 0.5}},
                               {{0, 0.5}, {1, 0.5}}, {{0, 0.5}, {0, 1}}, {{1, 0.5}, {1, 1}},
                               {{0, 1}, {1, 1}}};
constexpr std::string_view kLit[] = {"1110111", "0010010", "1011101", "1011011", "0111010",
                                     "1101011", "1101111", "1010010", "1111111", "1111011"};

// Where the digits stand: the middle of their lower edge. Not finite without a head. The points of
// the head reach from eyes to mouth.
Point PlaceAbove(const Person& person, int width, int height) {
  double x = 0, top = static_cast<double>(person.pose_landmarks[0].y), bottom = top;
  for (std::size_t i = 0; i < kHeadPoints; ++i) {
    x += static_cast<double>(person.pose_landmarks[i].x);
    top = std::min(top, static_cast<double>(person.pose_landmarks[i].y));
    bottom = std::max(bottom, static_cast<double>(person.pose_landmarks[i].y));
  }
  return {x / kHeadPoints * width, (top - kAboveEyes * (bottom - top)) * height};
}

}  // namespace

IdLabel::IdLabel(const Person& person, int width, int height) {
  const double size = std::max(kLeastHeight, kHeightOfPicture * std::min(width, height));
  const Point head = PlaceAbove(person, width, height);
  if (!(head.x >= 0 && head.x <= width && head.y >= -height && head.y <= height)) return;

  char text[kMostDigits + 1];
  const char* end = std::to_chars(text, text + sizeof text, std::max(0, person.id)).ptr;
  const double step = size * (kDigitWidth + kGap);
  double left = head.x - (step * static_cast<double>(end - text) - size * kGap) / 2;
  const double top = std::max(size * kGap, head.y - size * (1 + kGap));
  const auto place = [&](Point p) {
    return Point{left + p.x * size * kDigitWidth, top + p.y * size};
  };
  for (const char* digit = text; digit != end; ++digit, left += step) {
    const std::string_view lit = kLit[*digit - '0'];
    for (std::size_t i = 0; i < kStrokes; ++i) {
      if (lit[i] == '1') segments_[count_++] = {place(kPlaces[i].from), place(kPlaces[i].to)};
    }
  }
  width_ = size * kStroke;
}

}  // namespace holostat::render
