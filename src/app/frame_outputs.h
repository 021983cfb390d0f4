#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/frame_sink.h"
#include "app/output_target.h"
#include "base/result.h"
#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "media/video.h"
#include "render/overlay.h"

namespace holostat::app {

// Everything a run of `track` writes to: the files of its targets and standard output. Each output
// goes on whatever becomes of the others; one that failed, unless it is a file a frame, is left out
// until the next input.
class FrameOutputs {
 public:
  struct Options {
    render::FaceStyle face = render::FaceStyle::kContours;
    bool link_picture = false;              // SVG: link the picture behind the drawing
    bool print_json = false;                // also a line a frame to standard output
    bool append_lines = false;              // .jsonl files go on where they end
    bool signals = false;                   // in all JSON: docs/signals.md
    bool quiet = false;                     // says nothing but errors
    media::VideoLibrary* videos = nullptr;  // needed for .mp4; outlives the outputs
  };

  // Opens the files that take the whole call. Error: kUnavailable.
  static Result<FrameOutputs> Open(std::vector<OutputTarget> targets, const Options& options);

  // An input begins: a picture, a video, or the frames of one. Ends the files of the input before.
  // Errors: the first of its outputs.
  Result<void> Begin(const InputInfo& input);

  // Writes what was found in `picture`, which was read from `source` ("-": standard input).
  // Errors: kUnavailable when something cannot be written, else those of pipeline::EncodeFrame; the
  // first of its outputs.
  Result<void> Write(const FrameResult& frame, const ImageView& picture, const std::string& source,
                     std::size_t index);

  // Ends all files; without it those that hold a whole input are removed. To be called once, also
  // after errors and interruptions. Errors: the first of its outputs.
  Result<void> Finish();

  // Whether there is an output left that takes frames of this input.
  bool can_write() const;

  const std::vector<OutputTarget>& targets() const { return targets_; }

 private:
  enum class State { kIdle = 1, kOpen, kFailed };
  struct Output {
    std::unique_ptr<FrameSink> sink;
    Span span;
    State state = State::kIdle;
  };

  explicit FrameOutputs(std::vector<OutputTarget> targets) : targets_(std::move(targets)) {}

  Result<void> End(Output& output);

  std::vector<OutputTarget> targets_;
  std::vector<Output> outputs_;
};

}  // namespace holostat::app
