#include "pipeline/encode_frame.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "exporter/binary_frame.h"
#include "exporter/coco_wholebody.h"
#include "exporter/json.h"
#include "exporter/openpose.h"
#include "media/encode.h"
#include "render/svg.h"

namespace holostat::pipeline {
namespace {

// The strongest probability of anyone at each pixel.
std::vector<std::uint8_t> DrawMask(std::span<const Person> people, int width, int height) {
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<std::uint8_t> all(pixels);
  std::vector<std::uint8_t> further;  // of each person after the first
  bool is_first = true;
  for (const Person& person : people) {
    if (!person.segmentation) continue;
    if (std::exchange(is_first, false)) {
      RenderMask(*person.segmentation, all.data(), width, height, width);
      continue;
    }
    further.resize(pixels);
    RenderMask(*person.segmentation, further.data(), width, height, width);
    std::transform(all.begin(), all.end(), further.begin(), all.begin(),
                   [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
  }
  return all;
}

Result<std::string> EncodeMask(std::span<const Person> people, int width, int height) {
  const std::vector<std::uint8_t> mask = DrawMask(people, width, height);
  return media::EncodePng(media::GreyView{mask.data(), width, height, width});
}

// A PNG file of each person's mask; empty for one without.
Result<std::vector<std::string>> EncodeMasks(const FrameResult& frame) {
  std::vector<std::string> masks;
  for (const Person& person : frame.people) {
    masks.push_back(person.segmentation
                        ? HOLO_TRY(EncodeMask({&person, 1}, frame.width, frame.height))
                        : std::string());
  }
  return masks;
}

Result<std::string> EncodeNumbers(const FrameResult& frame, FrameFormat format,
                                  const EncodeOptions& options) {
  const std::vector<std::string> masks = HOLO_TRY(EncodeMasks(frame));
  const std::vector<std::string_view> views(masks.begin(), masks.end());
  if (format == FrameFormat::kBinary)
    return exporter::ToBinary(frame, {.frame_index = options.frame_index, .mask_pngs = views});
  return exporter::ToJson(
      frame, {.frame_index = options.frame_index, .mask_pngs = views, .signals = options.signals});
}

Image DrawPicture(const FrameResult& frame, const ImageView& picture, render::FaceStyle face) {
  Image drawn(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) {
    std::memcpy(drawn.row(y), picture.row(y), static_cast<std::size_t>(drawn.stride_bytes()));
  }
  render::DrawOverlay(frame, {.face = face}, drawn);
  return drawn;
}

Result<std::string> Encode(const FrameResult& frame, const ImageView& picture, FrameFormat format,
                           const EncodeOptions& options) {
  switch (format) {
    case FrameFormat::kJson:
    case FrameFormat::kBinary:
      return EncodeNumbers(frame, format, options);
    case FrameFormat::kOpenPose:
      return exporter::ToOpenPose(frame);
    case FrameFormat::kCoco:
      return exporter::ToCocoWholeBody(frame, options.frame_index);
    case FrameFormat::kSvg:
      return render::ToSvg(
          frame,
          {.face = options.face, .picture_href = options.picture_href, .title = options.title});
    case FrameFormat::kJpeg: {
      const Image drawn = DrawPicture(frame, picture, options.face);
      return media::EncodeJpeg(drawn.view(), options.jpeg_quality);
    }
    case FrameFormat::kPng: {
      const Image drawn = DrawPicture(frame, picture, options.face);
      return media::EncodePng(drawn.view());
    }
    case FrameFormat::kMask:
      return EncodeMask(frame.people, frame.width, frame.height);
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown format");
}

}  // namespace

Result<std::string> EncodeFrame(const FrameResult& frame, const ImageView& picture,
                                FrameFormat format, const EncodeOptions& options) {
  try {
    return Encode(frame, picture, format, options);
  } catch (const std::bad_alloc&) {  // of a copy of the picture, for one
    return Fail(ErrorCode::kOverloaded, "out of memory");
  }
}

}  // namespace holostat::pipeline
