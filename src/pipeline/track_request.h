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

#include "base/result.h"
#include "holostat/picture.h"
#include "pipeline/encode_frame.h"
#include "vision/multi_tracker.h"

namespace holostat::pipeline {

// What a client wants of one picture.
struct TrackRequest {
  vision::MultiTracker::Request variant;
  int people = 1;
  FrameFormat format = FrameFormat::kJson;
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

  // In a process that was forked: takes the memory that every request needs.
  void TouchMemory() { tracker_->TouchMemory(); }

  // Decodes, tracks and encodes. Each call is independent of those before. Errors: those of
  // DecodePicture and EncodeFrame, kUnsupported for what was not loaded or is not built yet.
  Result<std::string> Track(std::span<const std::uint8_t> picture, const TrackRequest& request);

 private:
  RequestTracker(const PictureLimits& limits, std::unique_ptr<vision::MultiTracker> tracker)
      : limits_(limits), tracker_(std::move(tracker)) {}

  PictureLimits limits_;
  std::unique_ptr<vision::MultiTracker> tracker_;
};

}  // namespace holostat::pipeline
