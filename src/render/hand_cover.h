#pragma once

#include <array>
#include <cstddef>

#include "holostat/frame_result.h"

namespace holostat::render {

// How much of a face the hands before it hide: a grid over the face's box, whatever its size.
// Takes no memory but its own.
class HandCover {
 public:
  struct Box {
    float left = 0, top = 0, right = 0, bottom = 0;  // pixels
  };

  // Measures the hands of `person`, whose picture is width x height, over `face`. Empty if none
  // touches it.
  void Measure(const Person& person, int width, int height, const Box& face);
  void Clear() { empty_ = true; }

  bool empty() const { return empty_; }
  // 0: no hand there .. 1: a hand. Smooth between.
  float At(float x, float y) const;

 private:
  static constexpr int kSide = 128;

  void Add(const Hand& hand, int width, int height);

  bool empty_ = true;
  Box box_;
  float to_cell_x_ = 0, to_cell_y_ = 0;
  std::array<float, std::size_t{kSide} * kSide> cover_;
};

}  // namespace holostat::render
