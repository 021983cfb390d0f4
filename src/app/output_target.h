#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/encode_frame.h"

namespace holostat::app {

enum class InputKind : std::uint8_t {
  kPicture = 1,  // on its own
  kFrame,        // a picture; all of this kind are the frames of one video
  kVideo,
};

// An input of the call.
struct Input {
  std::string name;  // a path or an address; "-": standard input
  InputKind kind = InputKind::kPicture;
};

enum class SinkKind : std::uint8_t {
  kFrameFiles = 1,  // a file a frame, of any FrameFormat
  kJsonLines,
  kJsonDocument,  // all frames in one document
  kCsv,
  kBvh,    // the motion of one person, and a .face.json beside it
  kVideo,  // an MP4 with the drawing on it
};

// What one file of a target takes.
enum class Span : std::uint8_t {
  kFrame = 1,
  kInput,  // all frames of an input; the inputs of kind kFrame are one
  kCall,   // everything
};

// One -o option: what to write, and where.
struct OutputTarget {
  // A path, in which {name} stands for the stem of the input's name. For a file a frame {index} is
  // the picture's place in the call or the frame's number in its video, and {frame} the same with
  // at least six digits; for a file an input both are the input's place.
  std::string pattern;
  SinkKind sink = SinkKind::kFrameFiles;
  pipeline::FrameFormat format = pipeline::FrameFormat::kJson;  // of a frame, where there are such
  Span span = Span::kFrame;

  std::filesystem::path PathFor(const std::filesystem::path& input, std::size_t index) const;
};

// Where the face of a .bvh goes: its name with .face.json for the ending.
std::filesystem::path FacePathOf(std::filesystem::path bvh);

// Reads the formats from the endings: .json .openpose.json .coco.json .jsonl .csv .bvh .svg .jpg
// .jpeg .png .mask.png .mp4. Errors (kInvalidArgument): an unknown ending; a placeholder that has
// no meaning in the name, or one that is missing; a file that would be written more than once; an
// output that is one of the inputs.
Result<std::vector<OutputTarget>> ParseOutputTargets(const std::vector<std::string>& patterns,
                                                     const std::vector<Input>& inputs);

}  // namespace holostat::app
