#include "media/av/to_yuv.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace holostat::media::av {
namespace {

constexpr int kMostSide = 16'384;                  // of x264, and of level 6.2
constexpr std::uint8_t kBlackY = 16, kGrey = 128;  // of limited range
constexpr std::size_t kRoom = 64;  // bytes after a row, more than any step of the scaler

// As players guess where a file says nothing (mpv's rule).
AVColorSpace MatrixFor(int width, int height) {
  return width >= 1280 || height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
}

int RoundUpToEven(int value) { return value + value % 2; }

tl::unexpected<Error> OutOfMemory() { return Fail(ErrorCode::kOverloaded, "out of memory"); }

ScalerHandle MakeScaler(const ImageView& image, int width, int height, AVColorSpace matrix) {
  ScalerHandle scaler(sws_alloc_context());
  if (!scaler) return nullptr;
  SwsContext* it = scaler.get();
  av_opt_set_int(it, "srcw", image.width, 0);
  av_opt_set_int(it, "srch", image.height, 0);
  av_opt_set_int(it, "src_format", AV_PIX_FMT_RGB24, 0);
  av_opt_set_int(it, "dstw", width, 0);
  av_opt_set_int(it, "dsth", height, 0);
  av_opt_set_int(it, "dst_format", AV_PIX_FMT_YUV420P, 0);
  // Chroma lies where the file will say, beside the left one of two pixels and between two rows.
  av_opt_set_int(it, "dst_h_chr_pos", 0, 0);
  av_opt_set_int(it, "dst_v_chr_pos", 128, 0);
  av_opt_set_int(it, "sws_flags", SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, 0);
  if (sws_init_context(it, nullptr, nullptr) < 0) return nullptr;
  const int* coefficients = sws_getCoefficients(matrix);
  constexpr int kOne = 1 << 16;  // contrast and saturation as they are
  sws_setColorspaceDetails(it, coefficients, 1, coefficients, 0, 0, kOne, kOne);
  return scaler;
}

// Chroma has half the sides, odd ones rounded up.
int ShiftOf(int plane) { return plane == 0 ? 0 : 1; }
int HalfOf(int side, int shift) { return (side + shift) >> shift; }

void Paint(int plane, std::uint8_t* begin, std::uint8_t* end) {
  std::fill(begin, end, plane == 0 ? kBlackY : kGrey);
}

}  // namespace

Result<std::unique_ptr<ToYuv>> ToYuv::Create(int width, int height) {
  if (width > kMostSide || height > kMostSide) {
    return Fail(
        ErrorCode::kLimitExceeded,
        fmt::format("H.264 has no {} x {} pixels, at most {} a side", width, height, kMostSide));
  }
  FrameHandle frame(av_frame_alloc());
  if (!frame) return OutOfMemory();
  frame->format = AV_PIX_FMT_YUV420P;
  frame->width = RoundUpToEven(width);
  frame->height = RoundUpToEven(height);
  frame->color_range = AVCOL_RANGE_MPEG;
  frame->colorspace = MatrixFor(width, height);
  frame->color_primaries = AVCOL_PRI_BT709;
  frame->color_trc = AVCOL_TRC_BT709;
  frame->chroma_location = AVCHROMA_LOC_LEFT;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return OutOfMemory();
  return std::unique_ptr<ToYuv>(new ToYuv(width, height, std::move(frame)));
}

Result<AVFrame*> ToYuv::Convert(const ImageView& image) {
  // New pixels only where an encoder still holds the last ones; libx264 holds none.
  if (av_frame_make_writable(frame_.get()) < 0) return OutOfMemory();
  const Place place = Fit(image);
  HOLO_TRY(PrepareScaler(image, place));
  HOLO_TRY(Scale(image, place));
  PaintAround(place);
  RepeatLastPixels();
  return frame_.get();
}

ToYuv::Place ToYuv::Fit(const ImageView& image) const {
  if (image.width == width_ && image.height == height_) return {0, 0, width_, height_};
  const double scale = std::min(static_cast<double>(width_) / image.width,
                                static_cast<double>(height_) / image.height);
  const auto fit = [&](int side, int most) {
    return std::clamp(static_cast<int>(std::lround(side * scale)), 1, most);
  };
  const int width = fit(image.width, width_), height = fit(image.height, height_);
  // Even, so that chroma begins there as well.
  return {((width_ - width) / 2) & ~1, ((height_ - height) / 2) & ~1, width, height};
}

Result<void> ToYuv::PrepareScaler(const ImageView& image, const Place& place) {
  if (scaler_ && scaled_width_ == image.width && scaled_height_ == image.height) return {};
  scaler_ = MakeScaler(image, place.width, place.height, frame_->colorspace);
  if (!scaler_) {
    return Fail(ErrorCode::kInternal,
                fmt::format("cannot scale {} x {} pixels to {} x {}", image.width, image.height,
                            place.width, place.height));
  }
  last_row_.resize(static_cast<std::size_t>(image.width) * 3 + kRoom);
  scaled_width_ = image.width;
  scaled_height_ = image.height;
  return {};
}

Result<void> ToYuv::Scale(const ImageView& image, const Place& place) {
  std::array<std::uint8_t*, 4> planes{};
  for (int i = 0; i < 3; ++i) {
    const int shift = ShiftOf(i);
    planes[i] = frame_->data[i] + std::ptrdiff_t{place.top >> shift} * frame_->linesize[i] +
                (place.left >> shift);
  }
  const auto scale = [&](const std::uint8_t* from, int top, int count) {
    const std::array<const std::uint8_t*, 4> rows{from};
    const std::array<int, 4> strides{static_cast<int>(image.stride_bytes)};
    return sws_scale(scaler_.get(), rows.data(), strides.data(), top, count, planes.data(),
                     frame_->linesize);
  };
  // The scaler reads a few pixels beyond each row: of the last one, what may be no memory of ours.
  const int last = image.height - 1;
  std::memcpy(last_row_.data(), image.row(last), static_cast<std::size_t>(image.width) * 3);
  const int above = last > 0 ? scale(image.data, 0, last) : 0;
  if (above < 0 || above + scale(last_row_.data(), last, 1) != place.height) {
    return Fail(ErrorCode::kInternal, "cannot convert a picture to YUV");
  }
  return {};
}

void ToYuv::PaintAround(const Place& place) {
  if (place.width == width_ && place.height == height_) return;
  for (int i = 0; i < 3; ++i) {
    const int shift = ShiftOf(i), width = frame_->width >> shift, height = frame_->height >> shift;
    const int left = place.left >> shift, right = left + HalfOf(place.width, shift);
    const int top = place.top >> shift, bottom = top + HalfOf(place.height, shift);
    for (int y = 0; y < height; ++y) {
      std::uint8_t* row = frame_->data[i] + std::ptrdiff_t{y} * frame_->linesize[i];
      const bool is_crossed = y >= top && y < bottom;
      Paint(i, row, row + (is_crossed ? left : width));
      if (is_crossed) Paint(i, row + right, row + width);
    }
  }
}

// Chroma reaches there already: its rows and columns stand for two, or for the last one.
void ToYuv::RepeatLastPixels() {
  const int stride = frame_->linesize[0];
  if (frame_->width > width_) {
    for (int y = 0; y < height_; ++y) {
      std::uint8_t* row = frame_->data[0] + std::ptrdiff_t{y} * stride;
      row[width_] = row[width_ - 1];
    }
  }
  if (frame_->height > height_) {
    std::uint8_t* last = frame_->data[0] + std::ptrdiff_t{height_ - 1} * stride;
    std::memcpy(last + stride, last, static_cast<std::size_t>(frame_->width));
  }
}

}  // namespace holostat::media::av
