#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/figure.h"
#include "render/palette.h"

namespace holostat::render {

// Paints anti-aliased, translucent shapes into a picture that stays the caller's.
//
// Not OpenCV's drawing: that has whole-pixel widths, no translucency, and integer coordinates that
// overflow. Here a line is its distance field, so widths and places are exact to a fraction of a
// pixel, and a shape of many lines is blended once however often they overlap. Works in tiles of a
// few kB on the stack: no heap call, and only pixels near the shape are touched.
class Canvas {
 public:
  explicit Canvas(Image& image) : image_(image) {}

  // `segments` as one shape, `width` pixels wide. REQUIRES: what Sketch::Stroke is given.
  void Stroke(const ToneStyle& style, double width, std::span<const Segment> segments);

  // Colours the pixels of `mask` with a soft edge, each by the probability that RenderMask gives
  // it. A mask without values or without a finite place colours nothing.
  void Tint(const SegmentationMask& mask, Rgb color);

 private:
  Image& image_;
};

}  // namespace holostat::render
