#pragma once

#include "holostat/frame_result.h"
#include "holostat/image.h"

namespace holostat::render {

// How much of the face is drawn.
enum class FaceStyle { kContours = 1, kTessellation, kNone };

struct OverlayOptions {
  FaceStyle face = FaceStyle::kContours;
  bool tint_mask = true;        // colour the segmentation, where there is one
  float min_visibility = 0.5f;  // body points less visible are not drawn
};

// Draws skeleton, hands, face and mask of everyone in `frame` into `image`, the picture the frame
// came from (docs/drawing.md). Line widths and dots follow the size of the picture and of the part,
// so that it reads well at 320 and at 4000 pixels. Points outside the picture are clipped, points
// that are not finite left out. Makes no heap call: paints in place, in tiles on the stack (about
// 70 kB). Thread-safe as long as each thread has its own `image`.
void DrawOverlay(const FrameResult& frame, const OverlayOptions& options, Image& image);

}  // namespace holostat::render
