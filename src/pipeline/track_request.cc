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
  const FrameResult frame = HOLO_TRY(
      tracker_->Process(image.view(), request.timestamp, request.variant, StateFor(request)));
  return EncodeFrame(frame, image.view(), request.format, {.frame_index = request.frame});
}

vision::TrackState* RequestTracker::StateFor(const TrackRequest& request) {
  if (request.session == 0) return nullptr;
  vision::TrackState& state = sessions_.Of(request.session);
  if (request.reset) state.Reset();
  return &state;
}

}  // namespace holostat::pipeline
