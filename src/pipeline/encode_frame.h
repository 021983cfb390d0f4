#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/overlay.h"

namespace holostat::pipeline {

// The forms an answer can take.
enum class FrameFormat : std::uint8_t {
  kJson = 1,  // one line, docs/frame-json.md
  kSvg,
  kJpeg,      // the picture with the landmarks drawn over it
  kPng,       // likewise
  kBinary,    // docs/live.md, "Binary output"
  kOpenPose,  // docs/formats.md
  kCoco,      // likewise: COCO-WholeBody
  kMask,      // the segmentation of everyone as an 8-bit grey PNG, 255 = person
};

struct EncodeOptions {
  std::uint64_t frame_index = 0;
  render::FaceStyle face = render::FaceStyle::kContours;
  std::string_view picture_href = {};  // SVG: a link to the picture behind the drawing
  std::string_view title = {};         // SVG: what it shows
  int jpeg_quality = 90;
  bool signals = false;  // kJson: also signals (docs/signals.md)
};

// The bytes of `frame` in `format`. `picture` is the one it was found in. A mask of nobody is
// black. Memory: one copy of the picture for kJpeg and kPng; one byte a pixel for kMask, and for
// kJson with a mask; a second one where several people have masks. Errors: those of media/encode.h;
// kOverloaded without memory for the copies.
Result<std::string> EncodeFrame(const FrameResult& frame, const ImageView& picture,
                                FrameFormat format, const EncodeOptions& options);

}  // namespace holostat::pipeline
