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
  std::string_view title;  // shown by browsers and read by screen readers; empty: a plain one
};

// The frame as an SVG document of the picture's size, in pixels. One group a person, in it one
// layer a part with a class and id to style or hide it: "pose", "face", "left-hand", "right-hand";
// ids are "person-1-pose" and so on, with the person's id (docs/drawing.md). The mask is not drawn.
//
// Well-formed XML for any bytes in `options` and any numbers in `frame`. The same frame always
// gives the same bytes, whatever the locale. Thread-safe: no shared state.
std::string ToSvg(const FrameResult& frame, const SvgOptions& options);

// The link to a file: its path with everything percent-encoded that has a meaning in links, so that
// "50%#1.jpg" can be a picture_href.
std::string HrefFromPath(std::string_view path);

}  // namespace holostat::render
