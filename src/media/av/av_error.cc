#include "media/av/av_error.h"

extern "C" {
#include <libavutil/error.h>
}

#include <fmt/format.h>

#include <array>
#include <string>

#include "media/av/log.h"

namespace holostat::media::av {
namespace {

ErrorCode CodeOf(int code) {
  switch (code) {
    case AVERROR(ENOENT):
    case AVERROR(ENXIO):
    case AVERROR(ENODEV):
    case AVERROR_HTTP_NOT_FOUND:
      return ErrorCode::kNotFound;
    case AVERROR(ENOMEM):
      return ErrorCode::kOverloaded;
    case AVERROR(ETIMEDOUT):
      return ErrorCode::kTimeout;
    case AVERROR(ENOSYS):
    case AVERROR(ENOTTY):
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR_MUXER_NOT_FOUND:
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_ENCODER_NOT_FOUND:
    case AVERROR_PROTOCOL_NOT_FOUND:
    case AVERROR_PATCHWELCOME:
      return ErrorCode::kUnsupported;
    case AVERROR_INVALIDDATA:
    case AVERROR_EOF:
    case AVERROR(EINVAL):
      return ErrorCode::kCorruptData;
    default:
      return ErrorCode::kUnavailable;
  }
}

std::string MeaningOf(int code) {
  if (code == AVERROR_EOF) return "it ends too early";
  if (code == AVERROR_INVALIDDATA) return "not a video, or a damaged one";
  std::array<char, 128> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

}  // namespace

Error AvError(int code, std::string_view what) {
  const std::string reason = Reason();
  return {CodeOf(code), fmt::format("{}: {}{}", what, MeaningOf(code),
                                    reason.empty() ? "" : fmt::format(" ({})", reason))};
}

}  // namespace holostat::media::av
