#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "media/av/fd_input.h"
#include "media/av/handles.h"
#include "media/av/watch.h"

namespace holostat::media::av {

// Reads the audio of a video a packet at a time, in step with frames that are written elsewhere:
// it holds one packet, however long the video is. Bound to one thread.
class AudioCopier {
 public:
  struct Options {
    std::string source;                 // a file; nothing that can be read but once
    std::chrono::microseconds from{0};  // of the source's first frame's time: that becomes 0
  };

  // Null where the source has no audio, or none from there on. Errors: kNotFound, kUnavailable,
  // kCorruptData, kTimeout, kOverloaded; kUnsupported where the source is no file, or its audio
  // begins more than 10 s after the frames, which a file would need memory for.
  static Result<std::unique_ptr<AudioCopier>> Open(const Options& options);
  AudioCopier(const AudioCopier&) = delete;
  AudioCopier& operator=(const AudioCopier&) = delete;

  // Valid as long as this is.
  const AVCodecParameters& parameters() const { return *stream_->codecpar; }
  AVRational time_base() const { return stream_->time_base; }

  // The next packet if it begins before `end`: as in the source, but for its times, which are those
  // of the frames. Some packets are from before 0, for decoders need them to get going. The caller
  // may move its contents out. Null: not yet, or no more. Errors: kTimeout, kUnavailable,
  // kCorruptData; nothing comes after one.
  Result<AVPacket*> Next(std::chrono::microseconds end);

 private:
  explicit AudioCopier(PacketHandle packet) : packet_(std::move(packet)) {}
  Result<void> OpenFormat(const std::string& source);
  Result<bool> FindStream();
  void SeekTo(std::chrono::microseconds from);
  Result<void> ReadPacket();
  bool IsWanted();

  std::string name_;  // of the source, in messages
  Watch watch_{nullptr};
  std::unique_ptr<FdInput> input_;  // before format_, which reads through it until it is closed
  InputHandle format_;
  const AVStream* stream_ = nullptr;  // of format_
  std::int64_t zero_ = 0;             // time of the source that becomes 0, in its time base
  std::int64_t last_dts_ = AV_NOPTS_VALUE;
  PacketHandle packet_;
  bool has_packet_ = false;
  bool is_over_ = false;
};

}  // namespace holostat::media::av
