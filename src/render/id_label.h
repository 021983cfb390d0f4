#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "holostat/frame_result.h"
#include "render/figure.h"

namespace holostat::render {

// The id of a person as lines above the head, for frames of several people. Digits are those of a
// pocket calculator: no font is needed.
class IdLabel {
 public:
  // In a picture of that size in pixels. Empty when the head is nowhere.
  IdLabel(const Person& person, int width, int height);

  std::span<const Segment> segments() const { return std::span(segments_).first(count_); }
  double width() const { return width_; }  // of its lines, pixels

 private:
  static constexpr std::size_t kMostDigits = 10, kStrokes = 7;

  std::array<Segment, kMostDigits * kStrokes> segments_;
  std::size_t count_ = 0;
  double width_ = 0;
};

}  // namespace holostat::render
