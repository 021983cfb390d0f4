// WebP by libwebp; libwebpdemux finds the first frame and the EXIF block of an extended file.
#include <webp/decode.h>
#include <webp/demux.h>

#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "media/codec.h"
#include "media/exif.h"
#include "media/orient.h"

namespace holostat::media {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Demuxer =
    std::unique_ptr<WebPDemuxer, decltype([](WebPDemuxer* demuxer) { WebPDemuxDelete(demuxer); })>;

Result<void> CheckStatus(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_OK:
      return {};
    case VP8_STATUS_OUT_OF_MEMORY:
      throw std::bad_alloc();
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return Fail(ErrorCode::kUnsupported, "it uses a feature that libwebp does not know");
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
      return Fail(ErrorCode::kCorruptData, "it is truncated");
    default:
      return Fail(ErrorCode::kCorruptData, "its data is damaged");
  }
}

// Decodes a still bitstream into the rectangle of `image` that begins at (left, top); libwebp
// refuses a bitstream that needs more rows or columns than remain there.
Result<void> DecodeInto(Bytes bitstream, Image& image, int left, int top) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config))
    return Fail(ErrorCode::kInternal, "libwebp has another version than its header");
  config.output.colorspace = MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = image.row(top) + std::ptrdiff_t{left} * 3;
  config.output.u.RGBA.stride = static_cast<int>(image.stride_bytes());
  config.output.u.RGBA.size = static_cast<std::size_t>(image.height() - top) *
                                  static_cast<std::size_t>(image.stride_bytes()) -
                              static_cast<std::size_t>(left) * 3;
  return CheckStatus(WebPDecode(bitstream.data(), bitstream.size(), &config));
}

// The first frame on its canvas, which is black where the frame does not reach.
Result<void> DecodeFirstFrame(const WebPDemuxer& demuxer, Image& canvas) {
  WebPIterator frame{};
  if (!WebPDemuxGetFrame(&demuxer, 1, &frame))
    return Fail(ErrorCode::kCorruptData, "it has no frame");
  const std::unique_ptr<WebPIterator,
                        decltype([](WebPIterator* it) { WebPDemuxReleaseIterator(it); })>
      release(&frame);
  // The demuxer promises this; the row arithmetic below relies on it.
  if (frame.x_offset < 0 || frame.y_offset < 0 || frame.width > canvas.width() - frame.x_offset ||
      frame.height > canvas.height() - frame.y_offset)
    return Fail(ErrorCode::kCorruptData, "its first frame leaves the canvas");
  return DecodeInto({frame.fragment.bytes, frame.fragment.size}, canvas, frame.x_offset,
                    frame.y_offset);
}

Orientation OrientationOf(const WebPDemuxer& demuxer) {
  WebPChunkIterator chunk{};
  if (!WebPDemuxGetChunk(&demuxer, "EXIF", 1, &chunk)) return Orientation::kTopLeft;
  const Orientation orientation = ExifOrientation({chunk.chunk.bytes, chunk.chunk.size});
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

bool IsExtended(Bytes bytes) {
  constexpr std::string_view kType = "VP8X";
  return bytes.size() >= 16 && std::equal(kType.begin(), kType.end(), bytes.begin() + 12);
}

}  // namespace

Result<Image> DecodeWebp(std::span<const std::uint8_t> bytes, const PictureLimits& limits) {
  WebPBitstreamFeatures features;
  HOLO_TRY(CheckStatus(WebPGetFeatures(bytes.data(), bytes.size(), &features)));
  HOLO_TRY(CheckSize(static_cast<std::uint64_t>(features.width),
                     static_cast<std::uint64_t>(features.height), limits));
  Demuxer demuxer;
  if (IsExtended(bytes)) {
    const WebPData data{bytes.data(), bytes.size()};
    demuxer.reset(WebPDemux(&data));
    if (demuxer == nullptr)
      return Fail(ErrorCode::kCorruptData, "its chunks are damaged or truncated");
  }
  Image image(features.width, features.height);
  if (features.has_animation && demuxer != nullptr) {
    HOLO_TRY(DecodeFirstFrame(*demuxer, image));
  } else {
    HOLO_TRY(DecodeInto(bytes, image, 0, 0));
  }
  return Orient(std::move(image),
                demuxer != nullptr ? OrientationOf(*demuxer) : Orientation::kTopLeft);
}

}  // namespace holostat::media
