#include "media/av/decoder.h"

#include <fmt/format.h>

#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

#include "media/av/av_error.h"
#include "media/av/log.h"
#include "media/codec.h"

namespace holostat::media::av {
namespace {

// FFmpeg counts rows that are rounded up to its alignment. What it lets pass is measured exactly
// in GetBuffer.
constexpr std::int64_t kRoundedPixels = std::int64_t{64} * kMaxSide;

bool IsWithin(std::int64_t width, std::int64_t height, std::size_t max_pixels) {
  return width <= kMaxSide && height <= kMaxSide &&
         static_cast<std::uint64_t>(width * height) <= max_pixels;
}

// A decoder that stops at FFmpeg's own limit says so in the log only.
bool ReasonIsLimit() { return Reason().find("max pixel count") != std::string::npos; }

}  // namespace

Result<void> CheckPixels(const std::string& name, int width, int height, std::size_t max_pixels) {
  if (IsWithin(width, height, max_pixels)) return {};
  return Fail(ErrorCode::kLimitExceeded, fmt::format("{}: {}x{} pixels, more than the limit of {}",
                                                     name, width, height, max_pixels));
}

Result<std::unique_ptr<Decoder>> Decoder::Open(const AVStream& stream, std::string name,
                                               std::size_t max_pixels) {
  const AVCodec* codec = avcodec_find_decoder(stream.codecpar->codec_id);
  if (codec == nullptr) {
    return Fail(ErrorCode::kUnsupported, fmt::format("{}: this FFmpeg has no decoder for {}", name,
                                                     avcodec_get_name(stream.codecpar->codec_id)));
  }
  std::unique_ptr<Decoder> decoder(new Decoder(std::move(name), max_pixels));
  decoder->context_.reset(avcodec_alloc_context3(codec));
  if (!decoder->context_) throw std::bad_alloc();
  AVCodecContext& context = *decoder->context_;
  ForgetReason();
  if (const int code = avcodec_parameters_to_context(&context, stream.codecpar); code < 0)
    return tl::unexpected(AvError(code, decoder->name_));
  context.pkt_timebase = stream.time_base;
  context.thread_count = 1;
  context.max_pixels = static_cast<std::int64_t>(max_pixels) + kRoundedPixels;
  context.get_buffer2 = &Decoder::GetBuffer;
  context.opaque = decoder.get();
  if (const int code = avcodec_open2(&context, codec, nullptr); code < 0)
    return tl::unexpected(AvError(code, decoder->name_));
  return decoder;
}

int Decoder::GetBuffer(AVCodecContext* context, AVFrame* frame, int flags) {
  auto& self = *static_cast<Decoder*>(context->opaque);
  if (!IsWithin(context->width, context->height, self.max_pixels_)) {
    self.is_over_limit_ = true;
    return AVERROR(EINVAL);
  }
  return avcodec_default_get_buffer2(context, frame, flags);
}

Result<Decoder::Step> Decoder::Send(const AVPacket* packet) {
  ForgetReason();
  const int code = avcodec_send_packet(context_.get(), packet);
  return code >= 0 || code == AVERROR_EOF ? Result<Step>(Step::kDone) : Broken(code);
}

Result<Decoder::Step> Decoder::Receive(AVFrame& frame) {
  ForgetReason();
  const int code = avcodec_receive_frame(context_.get(), &frame);
  if (code == AVERROR(EAGAIN)) return Step::kNeedsPacket;
  if (code == AVERROR_EOF) return Step::kEnd;
  if (code < 0) return Broken(code);
  const bool has_errors =
      (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags != 0;
  return has_errors ? Step::kBroken : Step::kDone;
}

Result<Decoder::Step> Decoder::Broken(int code) const {
  if (is_over_limit_ || ReasonIsLimit()) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("{}: a frame of more than {} pixels", name_, max_pixels_));
  }
  if (code == AVERROR(ENOMEM)) return tl::unexpected(AvError(code, name_));
  return Step::kBroken;
}

}  // namespace holostat::media::av
