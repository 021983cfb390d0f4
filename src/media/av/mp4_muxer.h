#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "media/av/fd_output.h"
#include "media/av/handles.h"

namespace holostat::media::av {

struct FreeOutput {
  void operator()(AVFormatContext* context) const { avformat_free_context(context); }
};
using OutputHandle = std::unique_ptr<AVFormatContext, FreeOutput>;

// Writes packets as an MP4 of fragments: its index is written with every few seconds of it, so that
// it takes no memory that grows, and needs no place that can be sought in. Bound to one thread.
class Mp4Muxer {
 public:
  struct Options {
    const AVCodecContext* video = nullptr;     // an open encoder
    const AVCodecParameters* audio = nullptr;  // none: null
    AVRational audio_time_base{};
    std::string comment;
  };

  // Whether MP4 takes audio of this codec.
  static bool TakesAudio(AVCodecID codec);

  // `output` must outlive the result. Errors: kUnsupported, kOverloaded, kUnavailable.
  static Result<std::unique_ptr<Mp4Muxer>> Create(FdOutput& output, const Options& options);
  Mp4Muxer(const Mp4Muxer&) = delete;
  Mp4Muxer& operator=(const Mp4Muxer&) = delete;

  // Takes the contents of `packet`, whose times are those of the encoder or of `audio_time_base`.
  // Error: kUnavailable, when it cannot be written; nothing can be from then on.
  Result<void> WriteVideo(AVPacket& packet);
  Result<void> WriteAudio(AVPacket& packet);
  // Ends the file. Error: kUnavailable.
  Result<void> Finish();

 private:
  Mp4Muxer(FdOutput& output, OutputHandle format) : output_(output), format_(std::move(format)) {}
  Result<void> AddStreams(const Options& options);
  Result<void> Begin(const std::string& comment);
  Result<void> Write(AVPacket& packet, int stream, AVRational time_base);

  FdOutput& output_;
  OutputHandle format_;
  AVRational video_time_base_{}, audio_time_base_{};  // of the packets given
};

}  // namespace holostat::media::av
