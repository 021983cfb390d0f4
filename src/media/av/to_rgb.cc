#include "media/av/to_rgb.h"

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <array>
#include <new>

namespace holostat::media::av {
namespace {

// The scaler's fast paths write 8 pixels at once, and leave out the last ones where a row has no
// room for them.
constexpr std::ptrdiff_t kStepPixels = 8;
constexpr std::ptrdiff_t kRowAlignment = 64;
constexpr std::size_t kBytesAfter = 64;

std::ptrdiff_t RoundUp(std::ptrdiff_t value, std::ptrdiff_t step) {
  return (value + step - 1) / step * step;
}

Error CannotConvert(int format, int width, int height) {
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
  return {ErrorCode::kUnsupported, fmt::format("cannot convert {}x{} pixels of the format {}",
                                               width, height, name != nullptr ? name : "?")};
}

// As libavfilter's scale, which the ffmpeg command converts with, does where nothing is asked of
// it: the matrix that the frame names, BT.601 where it names none, whatever the size; the range
// that the frame names, else that of its format.
void SetColours(SwsContext* scaler, int colour_space, int range) {
  int *unused_matrix = nullptr, *matrix_out = nullptr;
  int full_in = 0, full_out = 0, brightness = 0, contrast = 0, saturation = 0;
  if (sws_getColorspaceDetails(scaler, &unused_matrix, &full_in, &matrix_out, &full_out,
                               &brightness, &contrast, &saturation) < 0) {
    return;  // neither side has a matrix
  }
  if (range != AVCOL_RANGE_UNSPECIFIED) full_in = range == AVCOL_RANGE_JPEG ? 1 : 0;
  sws_setColorspaceDetails(scaler, sws_getCoefficients(colour_space), full_in, matrix_out, full_out,
                           brightness, contrast, saturation);
}

ScalerHandle MakeScaler(int width, int height, int format) {
  ScalerHandle scaler(sws_alloc_context());
  if (!scaler) throw std::bad_alloc();
  for (const char* name : {"srcw", "dstw"}) av_opt_set_int(scaler.get(), name, width, 0);
  for (const char* name : {"srch", "dsth"}) av_opt_set_int(scaler.get(), name, height, 0);
  av_opt_set_int(scaler.get(), "src_format", format, 0);
  av_opt_set_int(scaler.get(), "dst_format", AV_PIX_FMT_RGB24, 0);
  av_opt_set_int(scaler.get(), "sws_flags", SWS_BICUBIC, 0);
  // Chroma of MPEG-2 and all that came after it lies beside the luma rows, not on them.
  if (format == AV_PIX_FMT_YUV420P) av_opt_set_int(scaler.get(), "src_v_chr_pos", 128, 0);
  return sws_init_context(scaler.get(), nullptr, nullptr) < 0 ? nullptr : std::move(scaler);
}

}  // namespace

void ToRgb::Pixels::Resize(int new_width, int new_height) {
  if (new_width == width && new_height == height) return;
  width = new_width;
  height = new_height;
  stride = RoundUp(RoundUp(width, kStepPixels) * 3, kRowAlignment);
  const std::size_t bytes_needed =
      static_cast<std::size_t>(stride) * static_cast<std::size_t>(height) + kBytesAfter;
  if (bytes.size() >= bytes_needed) return;
  bytes = AlignedBuffer();  // never both
  bytes = AlignedBuffer(bytes_needed);
}

Result<void> ToRgb::Prepare(const Kind& kind) {
  if (scaler_ && kind == kind_) return {};
  scaler_ = MakeScaler(kind.width, kind.height, kind.format);
  if (!scaler_) return tl::unexpected(CannotConvert(kind.format, kind.width, kind.height));
  SetColours(scaler_.get(), kind.colour_space, kind.range);
  kind_ = kind;
  return {};
}

Result<ImageView> ToRgb::Convert(const AVFrame& frame, Turn turn) {
  HOLO_TRY(Prepare({frame.width, frame.height, frame.format, frame.colorspace, frame.color_range}));
  stored_.Resize(frame.width, frame.height);
  const std::array<std::uint8_t*, 4> rows{stored_.data()};
  const std::array<int, 4> strides{static_cast<int>(stored_.stride)};
  if (sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, rows.data(),
                strides.data()) < 0) {
    return tl::unexpected(CannotConvert(frame.format, frame.width, frame.height));
  }
  if (turn.is_none()) return stored_.view();
  const bool swap = turn.transpose;
  upright_.Resize(swap ? frame.height : frame.width, swap ? frame.width : frame.height);
  TurnInto(stored_.view(), turn, upright_.data(), upright_.stride);
  return upright_.view();
}

}  // namespace holostat::media::av
