#pragma once

#include <memory>

#include "app/frame_sink.h"
#include "app/output_target.h"
#include "base/result.h"
#include "media/video.h"
#include "render/overlay.h"

namespace holostat::app {

struct VideoSinkOptions {
  render::FaceStyle face = render::FaceStyle::kContours;
  bool quiet = false;  // says nothing of audio that is left out
};

// An MP4 an input: its frames with the landmarks drawn on them, at their times, and its audio where
// it is a file (docs/video-output.md). Drawing makes no heap call while frames stay of one size.
// `library` must outlive the result.
std::unique_ptr<FrameSink> MakeVideoSink(const OutputTarget& target,
                                         const VideoSinkOptions& options,
                                         media::VideoLibrary& library);

}  // namespace holostat::app
