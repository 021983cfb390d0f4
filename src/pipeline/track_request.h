#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "holostat/picture.h"
#include "pipeline/encode_frame.h"
#include "pipeline/session_states.h"
#include "vision/multi_tracker.h"

namespace holostat::pipeline {

// Pixels as they come from a camera, rows without padding.
struct RawPixels {
  int width = 0, height = 0;
  int channels = 0;  // 3: RGB, 4: RGBA; 0: the bytes are those of a picture file
};

// What a client wants of one picture.
struct TrackRequest {
  RawPixels raw;
  vision::MultiTracker::Request variant;
  FrameFormat format = FrameFormat::kJson;
  // Of a frame of a live session: people are followed from its frames before. 0: a still picture.
  std::uint64_t session = 0;
  std::uint64_t frame = 0;  // number in the session
  std::chrono::microseconds timestamp{0};
  bool reset = false;  // the frame has nothing to do with those before it
};

struct TrackAnswer {
  std::string bytes;
  std::chrono::nanoseconds decode{0}, encode{0};  // that they took
};

// One request: the bytes of a picture in, the bytes of an answer out. Holds the models; bound to
// one thread.
class RequestTracker {
 public:
  struct Options {
    std::filesystem::path models_dir;
    std::vector<vision::MultiTracker::Request> variants{{}};
    PictureLimits limits;
  };
  // Errors: those of MultiTracker::Create.
  static Result<std::unique_ptr<RequestTracker>> Create(const Options& options);

  // In a process that was forked: takes the memory that every request needs. Looks at the clock as
  // well: at the first virtual call of a kind UBSan makes system calls that no sandbox allows.
  void TouchMemory() {
    tracker_->TouchMemory();
    static_cast<void>(sessions_.Of(0));  // of nobody: it expires
  }

  // Gives back what sessions that are over have left.
  void Trim() { sessions_.ExpireNow(); }

  // Decodes, tracks and encodes. Pixels must be as many as `raw` says (kInvalidArgument). Each call
  // is independent of those before, but for those of its session that are remembered
  // (session_states.h). Errors: those of DecodePicture and EncodeFrame, kUnsupported for what was
  // not loaded or is not built yet.
  Result<TrackAnswer> Track(std::span<const std::uint8_t> picture, const TrackRequest& request);

 private:
  Result<ImageView> Pixels(std::span<const std::uint8_t> picture, const RawPixels& raw);
  // Null for a still picture.
  vision::PeopleState* StateFor(const TrackRequest& request);

  RequestTracker(const PictureLimits& limits, std::unique_ptr<vision::MultiTracker> tracker)
      : limits_(limits), tracker_(std::move(tracker)) {}

  PictureLimits limits_;
  std::unique_ptr<vision::MultiTracker> tracker_;
  Image image_;  // of the request that is worked on
  SystemClock clock_;
  SessionStates sessions_{clock_};
};

}  // namespace holostat::pipeline
