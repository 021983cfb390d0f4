#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/exit_code.h"
#include "app/status_line.h"
#include "app/swap_call.h"
#include "app/video_report.h"
#include "holostat/holistic_tracker.h"
#include "media/video.h"
#include "render/face_texture.h"

namespace holostat::app {

// The swap of one face through a video, from file to file, its sound kept. A frame that cannot be
// tracked counts as one without a face. Memory does not depend on the length.
class VideoSwap {
 public:
  // All must outlive this; `tracker` is one for videos.
  VideoSwap(const SwapCall& call, HolisticTracker& tracker, const render::FaceTexture& texture);

  // Once. Says what went wrong, and a summary at the end. Ctrl-C ends the video there; what was
  // done is kept.
  ExitCode Run();

 private:
  struct Counts {
    std::uint64_t swapped = 0, held = 0, hidden = 0, live = 0;
  };

  Result<void> Open();
  Result<void> SwapAll();
  Result<void> SwapFrame(const media::VideoFrame& frame);
  void Count(render::FaceSwapSession::Outcome outcome);
  std::optional<std::chrono::microseconds> End() const;
  void Summarize() const;

  const SwapCall& call_;
  HolisticTracker& tracker_;
  const render::FaceTexture& texture_;
  render::FaceSwapSession session_;
  std::unique_ptr<media::VideoReader> reader_;
  std::unique_ptr<media::VideoWriter> writer_;
  Image picture_;
  int kept_ = 0;  // whose face it was last
  StatusLine line_;
  Counts counts_;
  VideoStats stats_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace holostat::app
