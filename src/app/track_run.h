#pragma once

#include <cstddef>
#include <string>

#include "app/exit_code.h"
#include "app/frame_outputs.h"
#include "app/progress.h"
#include "app/track_call.h"
#include "holostat/holistic_tracker.h"
#include "media/video.h"

namespace holostat::app {

// What the input is, by the call and its name.
InputKind KindOfInput(const TrackCall& call, const std::string& name);

// One run of `holostat track`: the inputs in order, each to every output.
class TrackRun {
 public:
  // `videos` may be null where no input is one. All must outlive this.
  TrackRun(const TrackCall& call, HolisticTracker& tracker, media::VideoLibrary* videos,
           FrameOutputs& outputs);

  // All inputs are tried. The first failure's code.
  ExitCode Run();

 private:
  ExitCode TrackInput(std::size_t place);
  ExitCode TrackPicture(std::size_t place);
  ExitCode Begin(std::size_t place);
  ExitCode Report(const std::string& name, const Error& error, ExitCode code);

  const TrackCall& call_;
  HolisticTracker& tracker_;
  media::VideoLibrary* videos_;
  FrameOutputs& outputs_;
  Progress progress_;  // of pictures
};

}  // namespace holostat::app
