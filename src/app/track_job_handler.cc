#include "app/track_job_handler.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

namespace holostat::app {
namespace {

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

Result<pipeline::FrameFormat> ToPipeline(ipc::AnswerFormat format) {
  switch (format) {
    case ipc::AnswerFormat::kSvg:
      return pipeline::FrameFormat::kSvg;
    case ipc::AnswerFormat::kJpeg:
      return pipeline::FrameFormat::kJpeg;
    case ipc::AnswerFormat::kPng:
      return pipeline::FrameFormat::kPng;
    case ipc::AnswerFormat::kMask:
      return pipeline::FrameFormat::kMask;
    case ipc::AnswerFormat::kJson:
      return pipeline::FrameFormat::kJson;
    default:
      return Fail(ErrorCode::kUnsupported, "this format cannot be written");
  }
}

}  // namespace

void TrackJobHandler::PrepareWorker() { tracker_->TouchMemory(); }

Result<runtime::JobOutcome> TrackJobHandler::Handle(const ipc::Job& job,
                                                    std::span<const std::byte> request,
                                                    std::span<std::byte> answer) {
  const pipeline::FrameFormat format = HOLO_TRY(ToPipeline(job.format));
  const std::span picture(reinterpret_cast<const std::uint8_t*>(request.data()), request.size());
  const std::string text =
      HOLO_TRY(tracker_->Track(picture, {.variant = {.complexity = ToTracker(job.complexity),
                                                     .refine_face = job.refine_face,
                                                     .segmentation = job.segmentation},
                                         .people = job.people,
                                         .format = format,
                                         .session = job.session,
                                         .frame = job.frame,
                                         .timestamp = std::chrono::microseconds(job.timestamp_us),
                                         .reset = job.reset}));
  if (text.size() > answer.size()) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("the answer has {} bytes, {} are allowed", text.size(), answer.size()));
  }
  std::memcpy(answer.data(), text.data(), text.size());
  return runtime::JobOutcome{.answer_bytes = text.size()};
}

}  // namespace holostat::app
