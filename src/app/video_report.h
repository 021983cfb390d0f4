#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "holostat/frame_result.h"
#include "holostat/holistic_tracker.h"
#include "media/video.h"

namespace holostat::app {

// What has become of a video so far.
struct VideoStats {
  std::uint64_t frames = 0;                     // tracked
  std::uint64_t found = 0;                      // of them with somebody in it
  std::uint64_t detections = 0;                 // of them in which the body detector ran
  std::uint64_t failed = 0;                     // frames that could not be tracked
  std::uint64_t unwritten = 0;                  // frames that an output did not take
  int people = 0;                               // seen in all: the largest id
  std::chrono::microseconds first{0}, last{0};  // timestamps
  std::chrono::duration<double> elapsed{0};     // since the first frame was asked for

  void Add(const FrameResult& frame, const HolisticTracker& tracker);
  double fps() const {
    return elapsed.count() > 0 ? static_cast<double>(frames) / elapsed.count() : 0;
  }
};

// Of the part of the video that is tracked. `end`: where it ends, if that is known.
std::string DescribeProgress(const VideoStats& stats,
                             const std::optional<std::chrono::microseconds>& end,
                             const std::string& name);

// The line at the end of a video.
std::string DescribeVideo(const VideoStats& stats, const media::VideoCounts& counts,
                          const media::VideoInfo& info);

}  // namespace holostat::app
