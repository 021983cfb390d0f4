#include "media/av/h264_encoder.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "media/av/av_error.h"
#include "media/av/log.h"

namespace holostat::media::av {
namespace {

// Of x264: it runs on the cores that tracking needs.
constexpr char kPreset[] = "veryfast";
// Of encoders that know no CRF: bits a pixel and frame, of good quality with the plainest H.264.
constexpr double kBitsAPixel = 0.15;
// A player can jump to every so many seconds, and memory holds no more than these
// (video_writer.cc).
constexpr double kKeyFrameSeconds = 2;
constexpr int kMostFramesToKey = 250;
// More make x264 hold more frames, and a tracker on the same machine is what takes the time.
constexpr unsigned kMostThreads = 2;

constexpr const char* kPreferred[] = {"libx264", "libopenh264"};

bool TakesYuv420(const AVCodec& codec) {
  for (const AVPixelFormat* it = codec.pix_fmts; it != nullptr && *it != AV_PIX_FMT_NONE; ++it) {
    if (*it == AV_PIX_FMT_YUV420P) return true;
  }
  return false;
}

// Calls `use` with each encoder of H.264, best first, until it returns true.
template <class Use>
void ForEachEncoder(Use use) {
  const auto is_preferred = [](const AVCodec& codec) {
    return std::ranges::any_of(kPreferred,
                               [&](std::string_view name) { return name == codec.name; });
  };
  for (const char* name : kPreferred) {
    const AVCodec* codec = avcodec_find_encoder_by_name(name);
    if (codec != nullptr && use(*codec)) return;
  }
  void* position = nullptr;
  while (const AVCodec* codec = av_codec_iterate(&position)) {
    if (codec->id != AV_CODEC_ID_H264 || av_codec_is_encoder(codec) == 0) continue;
    if (TakesYuv420(*codec) && !is_preferred(*codec) && use(*codec)) return;
  }
}

tl::unexpected<Error> NoEncoder() {
  return Fail(ErrorCode::kUnsupported,
              "this FFmpeg has no encoder of H.264 (as libx264 is), which MP4 needs");
}

void Set(AVCodecContext& context, const H264Options& options) {
  context.width = options.width;
  context.height = options.height;
  context.pix_fmt = AV_PIX_FMT_YUV420P;
  context.time_base = {1, options.ticks_per_second};
  context.framerate = av_d2q(options.fps, 100'000);
  context.sample_aspect_ratio = {1, 1};
  context.gop_size = static_cast<int>(
      std::clamp(std::round(options.fps * kKeyFrameSeconds), 1.0, double{kMostFramesToKey}));
  context.max_b_frames = 0;
  context.thread_count =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
  context.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;  // MP4 has one place for it
  context.color_range = AVCOL_RANGE_MPEG;
  context.colorspace = options.matrix;
  // Of pictures that are sRGB: the same primaries, and the curve that videos say for it.
  context.color_primaries = AVCOL_PRI_BT709;
  context.color_trc = AVCOL_TRC_BT709;
  context.chroma_sample_location = AVCHROMA_LOC_LEFT;
}

// What only some encoders know: the others do not take it, which is as well.
void SetQuality(AVCodecContext& context, const H264Options& options) {
  if (av_opt_set(context.priv_data, "crf", std::to_string(options.crf).c_str(), 0) == 0) {
    av_opt_set(context.priv_data, "preset", kPreset, 0);
    return;
  }
  context.bit_rate =
      static_cast<std::int64_t>(double{kBitsAPixel} * options.width * options.height * options.fps);
}

}  // namespace

Result<void> CheckH264Encoder() {
  bool found = false;
  ForEachEncoder([&](const AVCodec&) { return found = true; });
  if (!found) return NoEncoder();
  return {};
}

Result<CodecHandle> OpenH264Encoder(const H264Options& options) {
  CodecHandle opened;
  std::string why;  // of the first, which is the best one
  bool out_of_memory = false;
  ForEachEncoder([&](const AVCodec& codec) {
    CodecHandle context(avcodec_alloc_context3(&codec));
    if (context == nullptr) return out_of_memory = true;
    Set(*context, options);
    SetQuality(*context, options);
    ForgetReason();
    const int code = avcodec_open2(context.get(), &codec, nullptr);
    if (code == AVERROR(ENOMEM)) return out_of_memory = true;
    if (code == 0) opened = std::move(context);
    if (why.empty()) why = AvError(code, codec.name).message;
    return opened != nullptr;
  });
  if (opened != nullptr) return opened;
  if (out_of_memory) return Fail(ErrorCode::kOverloaded, "out of memory");
  if (why.empty()) return NoEncoder();
  return Fail(ErrorCode::kUnsupported,
              fmt::format("cannot encode {} x {} pixels ({})", options.width, options.height, why));
}

}  // namespace holostat::media::av
