#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "app/output_file.h"
#include "app/output_target.h"
#include "base/result.h"
#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/overlay.h"

namespace holostat::app {

// Everything a run of `track` writes to: the files of its targets and standard output.
class FrameOutputs {
 public:
  struct Options {
    render::FaceStyle face = render::FaceStyle::kContours;
    bool link_picture = false;  // SVG: link the picture behind the drawing
    bool print_json = false;    // also a line a picture to standard output
  };

  // Opens the .jsonl files. Error: kUnavailable.
  static Result<FrameOutputs> Open(std::vector<OutputTarget> targets, const Options& options);

  // Writes what was found in `picture`, which was read from `source` ("-": standard input).
  // Errors: kUnavailable when something cannot be written, else those of pipeline::EncodeFrame.
  Result<void> Write(const FrameResult& frame, const ImageView& picture, const std::string& source,
                     std::size_t index);

  const std::vector<OutputTarget>& targets() const { return targets_; }

 private:
  FrameOutputs(std::vector<OutputTarget> targets, const Options& options)
      : targets_(std::move(targets)), options_(options) {}

  std::vector<OutputTarget> targets_;
  Options options_;
  std::map<std::string, OutputFile> line_files_;  // one a .jsonl target
};

}  // namespace holostat::app
