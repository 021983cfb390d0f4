#pragma once

#include <string>
#include <string_view>

#include "holostat/frame_result.h"
#include "render/overlay.h"

namespace holostat::render {

struct SvgOptions {
  FaceStyle face = FaceStyle::kContours;
  float min_visibility = 0.5f;
  std::string_view picture_href;  // link to the picture behind the drawing; empty: none
  std::string_view title;         // shown by browsers and read by screen readers
};

// The frame as an SVG document of the picture's size. One group a person, in it one layer a part
// with a class and id to style or hide it: "pose", "face", "left-hand", "right-hand".
std::string ToSvg(const FrameResult& frame, const SvgOptions& options);

}  // namespace holostat::render
