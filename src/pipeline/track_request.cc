#include "pipeline/track_request.h"

#include <fmt/format.h>

#include <cstring>

namespace holostat::pipeline {
namespace {

Result<void> CheckRaw(std::size_t bytes, const RawPixels& raw, const PictureLimits& limits) {
  if (raw.width <= 0 || raw.height <= 0 || (raw.channels != 3 && raw.channels != 4))
    return Fail(ErrorCode::kInvalidArgument, "these are no raw pixels");
  const std::size_t pixels =
      static_cast<std::size_t>(raw.width) * static_cast<std::size_t>(raw.height);
  if (pixels > limits.max_pixels) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("{} x {} pixels are more than the limit of {}", raw.width, raw.height,
                            limits.max_pixels));
  }
  if (bytes != pixels * static_cast<std::size_t>(raw.channels))
    return Fail(ErrorCode::kInvalidArgument, "there are not as many pixels as the size says");
  return {};
}

Image WithoutAlpha(const ImageView& rgba) {
  Image image(rgba.width, rgba.height);
  for (int y = 0; y < rgba.height; ++y) {
    const std::uint8_t* from = rgba.row(y);
    std::uint8_t* to = image.row(y);
    for (int x = 0; x < rgba.width; ++x, from += 4, to += 3) std::memcpy(to, from, 3);
  }
  return image;
}

}  // namespace

Result<std::unique_ptr<RequestTracker>> RequestTracker::Create(const Options& options) {
  auto tracker = HOLO_TRY(vision::MultiTracker::Create(
      {.models_dir = options.models_dir, .requests = options.variants}));
  return std::unique_ptr<RequestTracker>(new RequestTracker(options.limits, std::move(tracker)));
}

Result<TrackAnswer> RequestTracker::Track(std::span<const std::uint8_t> picture,
                                          const TrackRequest& request) {
  if (!tracker_->Has(request.variant))
    return Fail(ErrorCode::kUnsupported, "the models that this needs are not loaded");
  const auto began = std::chrono::steady_clock::now();
  const ImageView image = HOLO_TRY(Pixels(picture, request.raw));
  const auto decoded = std::chrono::steady_clock::now();
  const FrameResult frame =
      HOLO_TRY(tracker_->Process(image, request.timestamp, request.variant, StateFor(request)));
  const auto tracked = std::chrono::steady_clock::now();
  TrackAnswer answer;
  answer.bytes =
      HOLO_TRY(EncodeFrame(frame, image, request.format, {.frame_index = request.frame}));
  answer.decode = decoded - began;
  answer.encode = std::chrono::steady_clock::now() - tracked;
  image_ = Image();  // its memory is of no use to a smaller picture
  return answer;
}

// RGB pixels stay where they are; all else becomes image_.
Result<ImageView> RequestTracker::Pixels(std::span<const std::uint8_t> picture,
                                         const RawPixels& raw) {
  if (raw.channels == 0) {
    image_ = HOLO_TRY(DecodePicture(picture, limits_));
    return image_.view();
  }
  HOLO_TRY(CheckRaw(picture.size(), raw, limits_));
  const std::ptrdiff_t stride = std::ptrdiff_t{raw.channels} * raw.width;
  const ImageView view{picture.data(), raw.width, raw.height, stride};
  if (raw.channels == 3) return view;
  image_ = WithoutAlpha(view);
  return image_.view();
}

vision::PeopleState* RequestTracker::StateFor(const TrackRequest& request) {
  if (request.session == 0) {
    sessions_.ExpireNow();
    return nullptr;
  }
  vision::PeopleState& state =
      sessions_.Of(request.session, static_cast<std::size_t>(request.variant.people));
  if (request.reset) state.Reset();
  return &state;
}

}  // namespace holostat::pipeline
