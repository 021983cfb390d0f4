#include "app/track_job_handler.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

namespace holostat::app {
namespace {

static_assert(ipc::kMaxJobPeople == kMaxPeople, "a client may ask for what a tracker can");

Complexity ToTracker(ipc::Complexity complexity) {
  switch (complexity) {
    case ipc::Complexity::kLite:
      return Complexity::kLite;
    case ipc::Complexity::kHeavy:
      return Complexity::kHeavy;
    case ipc::Complexity::kFull:
      break;
  }
  return Complexity::kFull;
}

pipeline::FrameFormat ToPipeline(ipc::AnswerFormat format) {
  switch (format) {
    case ipc::AnswerFormat::kSvg:
      return pipeline::FrameFormat::kSvg;
    case ipc::AnswerFormat::kJpeg:
      return pipeline::FrameFormat::kJpeg;
    case ipc::AnswerFormat::kPng:
      return pipeline::FrameFormat::kPng;
    case ipc::AnswerFormat::kMask:
      return pipeline::FrameFormat::kMask;
    case ipc::AnswerFormat::kBinary:
      return pipeline::FrameFormat::kBinary;
    case ipc::AnswerFormat::kOpenpose:
      return pipeline::FrameFormat::kOpenPose;
    case ipc::AnswerFormat::kCoco:
      return pipeline::FrameFormat::kCoco;
    case ipc::AnswerFormat::kJson:
      break;
  }
  return pipeline::FrameFormat::kJson;
}

pipeline::RawPixels ToRaw(const ipc::Job& job) {
  const int channels = job.input == ipc::InputKind::kRgb8    ? 3
                       : job.input == ipc::InputKind::kRgba8 ? 4
                                                             : 0;
  // A side that is no int is no size of a picture: refused as 0 x 0.
  const bool fits = std::in_range<int>(job.width) && std::in_range<int>(job.height);
  if (channels == 0 || !fits) return {.channels = channels};
  return {static_cast<int>(job.width), static_cast<int>(job.height), channels};
}

}  // namespace

void TrackJobHandler::PrepareWorker() { tracker_->TouchMemory(); }

Result<runtime::JobOutcome> TrackJobHandler::Handle(const ipc::Job& job,
                                                    std::span<const std::byte> request,
                                                    std::span<std::byte> answer) {
  const pipeline::FrameFormat format = ToPipeline(job.format);
  const std::span picture(reinterpret_cast<const std::uint8_t*>(request.data()), request.size());
  const pipeline::TrackAnswer made =
      HOLO_TRY(tracker_->Track(picture, {.raw = ToRaw(job),
                                         .variant = {.complexity = ToTracker(job.complexity),
                                                     .refine_face = job.refine_face,
                                                     .segmentation = job.segmentation,
                                                     .people = job.people},
                                         .format = format,
                                         .session = job.session,
                                         .frame = job.frame,
                                         .timestamp = std::chrono::microseconds(job.timestamp_us),
                                         .reset = job.reset}));
  const std::string& text = made.bytes;
  if (text.size() > answer.size()) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("the answer has {} bytes, {} are allowed", text.size(), answer.size()));
  }
  std::memcpy(answer.data(), text.data(), text.size());
  return runtime::JobOutcome{text.size(), made.decode, made.encode};
}

}  // namespace holostat::app
