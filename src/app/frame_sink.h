#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "holostat/frame_result.h"
#include "holostat/image.h"

namespace holostat::app {

// What a sink is told of an input before its first frame: of a picture, of a video, or of pictures
// that are together the frames of one.
struct InputInfo {
  std::string source;                 // as in the call; "-": standard input; of frames: the first
  std::size_t place = 0;              // among the inputs of the call, from 0
  double fps = 0;                     // frames a second, on average; 0: unknown, or a still picture
  std::chrono::microseconds from{0};  // where in the source the first frame lies
  int people = 1;                     // a frame has at most so many
};

// A frame on its way to the outputs. Borrowed for the call.
struct OutputFrame {
  const FrameResult& result;
  ImageView picture;          // that it was found in
  const std::string& source;  // the file it was read from; "-": standard input
  std::uint64_t index = 0;    // in the call for pictures, in its video for frames; from 0
};

// Where the frames of a run go: one -o of the call. For each input Begin, then Write for each frame
// of it; then Finish, once an input or once at the end, as the target's Span says
// (output_target.h). What was not finished leaves no file that looks whole. Memory does not depend
// on the number of frames. Not thread-safe. Errors of all: kUnavailable when something cannot be
// written, or those of the encoder; then nothing but Begin may follow.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  FrameSink(const FrameSink&) = delete;
  FrameSink& operator=(const FrameSink&) = delete;

  virtual Result<void> Begin(const InputInfo& input) = 0;
  virtual Result<void> Write(const OutputFrame& frame) = 0;
  virtual Result<void> Finish() = 0;

 protected:
  FrameSink() = default;
};

}  // namespace holostat::app
