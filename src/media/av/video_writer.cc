#include "media/av/video_writer.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/part_file.h"
#include "media/av/audio_copier.h"
#include "media/av/av_error.h"
#include "media/av/fd_output.h"
#include "media/av/h264_encoder.h"
#include "media/av/handles.h"
#include "media/av/log.h"
#include "media/av/mp4_muxer.h"
#include "media/av/output_clock.h"
#include "media/av/to_yuv.h"

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;

constexpr int kBestCrf = 0, kWorstCrf = 51;

microseconds ToTime(std::int64_t ticks) {
  return microseconds(av_rescale_q(ticks, {1, OutputClock::kTicksPerSecond}, {1, 1'000'000}));
}

// Frames go through clock, converter, encoder and muxer, in that order; packets of audio go
// straight to the muxer, up to the end of the last frame.
class Mp4Writer : public VideoWriter {
 public:
  static Result<std::unique_ptr<VideoWriter>> Open(const std::filesystem::path& path,
                                                   const Options& options) {
    if (options.crf < kBestCrf || options.crf > kWorstCrf)
      return Fail(ErrorCode::kInvalidArgument, "a CRF is a number from 0 to 51");
    HOLO_TRY(CheckH264Encoder());
    PacketHandle packet(av_packet_alloc());
    if (!packet) return Fail(ErrorCode::kOverloaded, "out of memory");
    auto file = HOLO_TRY(PartFile::Create(path));
    auto output = HOLO_TRY(FdOutput::Create(file->fd(), file->is_regular()));
    std::unique_ptr<Mp4Writer> writer(
        new Mp4Writer(options, std::move(file), std::move(output), std::move(packet)));
    writer->OpenAudio();
    return writer;
  }

  Result<void> Write(const ImageView& image, microseconds timestamp) override {
    return Guarded([&] { return WriteFrame(image, timestamp); });
  }

  Result<void> Finish() override {
    return Guarded([&] { return FinishFile(); });
  }

  std::string_view audio_note() const override { return audio_note_; }

 private:
  Mp4Writer(const Options& options, std::unique_ptr<PartFile> file,
            std::unique_ptr<FdOutput> output, PacketHandle packet)
      : options_(options),
        file_(std::move(file)),
        output_(std::move(output)),
        packet_(std::move(packet)),
        clock_(options.fps) {}

  // The first failure is the last: what FFmpeg was left in is not to be used again.
  template <class Work>
  Result<void> Guarded(Work work) {
    if (failure_) return tl::unexpected(*failure_);
    Result<void> result;
    try {
      result = work();
    } catch (const std::bad_alloc&) {
      result = Fail(ErrorCode::kOverloaded, "out of memory");
    }
    if (result) return result;
    failure_ = WithContext(std::move(result).error(), file_->path().string());
    return tl::unexpected(*failure_);
  }

  void LeaveOutAudio(std::string why) {
    audio_.reset();
    audio_note_ = std::move(why);
  }

  // A video is worth having without its audio.
  void OpenAudio() {
    if (options_.audio_from.empty()) return;
    auto opened =
        AudioCopier::Open({.source = options_.audio_from.string(), .from = options_.from});
    if (!opened) return LeaveOutAudio(std::move(opened).error().message);
    audio_ = *std::move(opened);
    if (audio_ == nullptr) return;
    const AVCodecID codec = audio_->parameters().codec_id;
    if (!Mp4Muxer::TakesAudio(codec))
      LeaveOutAudio(fmt::format("MP4 takes no audio of the kind {}", avcodec_get_name(codec)));
  }

  Result<void> Begin(const ImageView& first) {
    converter_ = HOLO_TRY(ToYuv::Create(first.width, first.height));
    encoder_ = HOLO_TRY(
        OpenH264Encoder({.width = converter_->width(),
                         .height = converter_->height(),
                         .ticks_per_second = OutputClock::kTicksPerSecond,
                         .fps = OutputClock::kTicksPerSecond / static_cast<double>(clock_.step()),
                         .crf = options_.crf,
                         .matrix = converter_->matrix()}));
    if (audio_ != nullptr) {
      auto muxer = CreateMuxer();
      if (muxer) return Take(std::move(muxer));
      LeaveOutAudio(std::move(muxer).error().message);
    }
    return Take(CreateMuxer());
  }

  Result<std::unique_ptr<Mp4Muxer>> CreateMuxer() {
    Mp4Muxer::Options options{.video = encoder_.get(), .comment = options_.comment};
    if (audio_ != nullptr) {
      options.audio = &audio_->parameters();
      options.audio_time_base = audio_->time_base();
    }
    return Mp4Muxer::Create(*output_, options);
  }

  Result<void> Take(Result<std::unique_ptr<Mp4Muxer>> muxer) {
    muxer_ = HOLO_TRY(std::move(muxer));
    return {};
  }

  Result<void> WriteFrame(const ImageView& image, microseconds timestamp) {
    if (image.empty()) return Fail(ErrorCode::kInvalidArgument, "the picture is empty");
    if (muxer_ == nullptr) HOLO_TRY(Begin(image));
    AVFrame* frame = HOLO_TRY(converter_->Convert(image));
    frame->pts = clock_.Place(timestamp);
    HOLO_TRY(Encode(frame));
    return CopyAudio();
  }

  // Null: all that the encoder still holds.
  Result<void> Encode(const AVFrame* frame) {
    ForgetReason();
    const int sent = avcodec_send_frame(encoder_.get(), frame);
    if (sent < 0) return tl::unexpected(AvError(sent, "cannot encode"));
    for (;;) {
      const int code = avcodec_receive_packet(encoder_.get(), packet_.get());
      if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return {};
      if (code < 0) return tl::unexpected(AvError(code, "cannot encode"));
      // The muxer asks only for that of the last one.
      packet_->duration = clock_.step();
      HOLO_TRY(muxer_->WriteVideo(*packet_));
    }
  }

  // Up to the end of the last frame, as far as it is known.
  Result<void> CopyAudio() {
    const microseconds end = ToTime(clock_.last() + clock_.step());
    while (audio_ != nullptr) {
      auto packet = audio_->Next(end);
      if (!packet) {
        LeaveOutAudio(fmt::format("its audio ends at {:.1f} s: {}", ToSeconds(audio_end_),
                                  packet.error().message));
        return {};
      }
      if (*packet == nullptr) return {};
      audio_end_ = TimeOf(**packet);
      HOLO_TRY(muxer_->WriteAudio(**packet));
    }
    return {};
  }

  microseconds TimeOf(const AVPacket& packet) const {
    return microseconds(av_rescale_q(packet.pts, audio_->time_base(), {1, 1'000'000}));
  }
  static double ToSeconds(microseconds time) { return std::chrono::duration<double>(time).count(); }

  Result<void> FinishFile() {
    if (muxer_ == nullptr) return Fail(ErrorCode::kInvalidArgument, "no frame was written");
    HOLO_TRY(Encode(nullptr));
    HOLO_TRY(CopyAudio());
    HOLO_TRY(muxer_->Finish());
    return file_->Commit();
  }

  Options options_;
  std::unique_ptr<PartFile> file_;
  std::unique_ptr<FdOutput> output_;  // before muxer_, which writes through it
  PacketHandle packet_;
  OutputClock clock_;
  std::unique_ptr<AudioCopier> audio_;  // null: none, or no more
  microseconds audio_end_{0};
  std::string audio_note_;
  std::unique_ptr<ToYuv> converter_;
  CodecHandle encoder_;
  std::unique_ptr<Mp4Muxer> muxer_;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::unique_ptr<VideoWriter>> OpenVideoWriter(const std::filesystem::path& path,
                                                     const VideoWriter::Options& options) {
  return Mp4Writer::Open(path, options);
}

}  // namespace holostat::media::av
