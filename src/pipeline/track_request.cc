#include "pipeline/track_request.h"

namespace holostat::pipeline {

Result<std::unique_ptr<RequestTracker>> RequestTracker::Create(const Options& options) {
  auto tracker = HOLO_TRY(vision::MultiTracker::Create(
      {.models_dir = options.models_dir, .requests = options.variants}));
  return std::unique_ptr<RequestTracker>(new RequestTracker(options.limits, std::move(tracker)));
}

Result<std::string> RequestTracker::Track(std::span<const std::uint8_t> picture,
                                          const TrackRequest& request) {
  if (request.people != 1)
    return Fail(ErrorCode::kUnsupported, "only one person can be tracked yet");
  if (!tracker_->Has(request.variant))
    return Fail(ErrorCode::kUnsupported, "the models that this needs are not loaded");
  const Image image = HOLO_TRY(DecodePicture(picture, limits_));
  const FrameResult frame =
      HOLO_TRY(tracker_->Process(image.view(), std::chrono::microseconds(0), request.variant));
  return EncodeFrame(frame, image.view(), request.format, {});
}

}  // namespace holostat::pipeline
