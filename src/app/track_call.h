#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/tracker_options.h"
#include "holostat/picture.h"
#include "render/overlay.h"

namespace holostat::app {

// Which part of a video is tracked, and how it is read.
struct VideoCall {
  bool all_are_videos = false;  // --video
  std::chrono::microseconds from{0};
  std::optional<std::chrono::microseconds> to;
  std::uint64_t every = 1;
  bool resume = false;
  std::string format;  // FFmpeg's name; empty: told from the bytes
  double open_timeout_s = 10;
  double read_timeout_s = 10;
};

// What `holostat track` was called with.
struct TrackCall {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  TrackerOptions tracker;
  VideoCall video;
  // Of the video that the pictures are the frames of, or of a camera; 0: of none, its own.
  double fps = 0;
  PictureLimits limits;
  render::FaceStyle face = render::FaceStyle::kContours;
  bool svg_picture = false;
  bool signals = false;  // in JSON: docs/signals.md
  bool json = false;
  bool quiet = false;
};

}  // namespace holostat::app
