#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/exit_code.h"
#include "app/frame_outputs.h"
#include "app/resume_point.h"
#include "app/status_line.h"
#include "app/track_call.h"
#include "app/video_report.h"
#include "holostat/holistic_tracker.h"
#include "media/video.h"

namespace holostat::app {

// The tracking of one video of the call, from its first wanted frame to its end. A frame that does
// not decode, or that cannot be tracked, costs that frame only.
class VideoTrack {
 public:
  // All must outlive this.
  VideoTrack(const TrackCall& call, HolisticTracker& tracker, FrameOutputs& outputs,
             bool shows_progress);

  // Once. `place`: among the inputs of the call. Says what went wrong, and a summary at the end.
  ExitCode Run(media::VideoLibrary& videos, std::size_t place);

 private:
  Result<std::unique_ptr<media::VideoReader>> Open(media::VideoLibrary& videos);
  std::filesystem::path ResumedFile() const;
  ExitCode TrackFrames(media::VideoReader& reader);
  ExitCode TrackFrame(const media::VideoFrame& frame, const media::VideoInfo& info);
  Result<void> CheckResumed(const media::VideoFrame& frame) const;
  ExitCode Begin(const media::VideoFrame& frame, const media::VideoInfo& info);
  ExitCode CountUnwritten(const Error& error);
  ExitCode CheckEnd(const media::VideoReader& reader);
  void DrawProgress(const media::VideoInfo& info);
  void Summarize(const media::VideoReader& reader);
  ExitCode Report(const Error& error, ExitCode code);

  const TrackCall& call_;
  HolisticTracker& tracker_;
  FrameOutputs& outputs_;
  StatusLine line_;
  std::string name_;
  std::size_t place_ = 0;
  std::optional<ResumePoint> resumed_;  // frames up to this one are in the file
  bool is_begun_ = false;               // the outputs know of the video
  VideoStats stats_;
};

}  // namespace holostat::app
