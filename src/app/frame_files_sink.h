#pragma once

#include <memory>

#include "app/frame_sink.h"
#include "app/output_target.h"
#include "render/overlay.h"

namespace holostat::app {

struct FrameFilesOptions {
  render::FaceStyle face = render::FaceStyle::kContours;
  bool link_picture = false;  // SVG: link the picture behind the drawing
  bool signals = false;       // JSON: signals as well (docs/signals.md)
};

// A file for each frame, written whole.
std::unique_ptr<FrameSink> MakeFrameFilesSink(const OutputTarget& target,
                                              const FrameFilesOptions& options);

}  // namespace holostat::app
