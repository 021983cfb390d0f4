#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/encode_frame.h"

namespace holostat::app {

// One -o option: what to write, and where.
struct OutputTarget {
  std::string
      pattern;  // a path in which {name} stands for the picture's stem, {index} for its place
  pipeline::FrameFormat format;
  bool one_line_a_picture = false;  // .jsonl: all pictures go into one file

  std::filesystem::path PathFor(const std::filesystem::path& picture, std::size_t index) const;
};

// Reads the formats from the endings: .json .openpose.json .coco.json .jsonl .svg .jpg .jpeg .png
// .mask.png. Errors (kInvalidArgument): an unknown ending; a placeholder in a .jsonl name; a file
// that would be written more than once; an output that is one of the inputs.
Result<std::vector<OutputTarget>> ParseOutputTargets(const std::vector<std::string>& patterns,
                                                     const std::vector<std::string>& pictures);

}  // namespace holostat::app
