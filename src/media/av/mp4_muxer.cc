#include "media/av/mp4_muxer.h"

#include <utility>

#include "media/av/av_error.h"
#include "media/av/log.h"

namespace holostat::media::av {
namespace {

constexpr int kVideo = 0, kAudio = 1;  // places of the streams

// What docs/video-output.md says of each.
constexpr char kFlags[] = "+frag_keyframe+empty_moov+delay_moov+default_base_moof+skip_trailer";

tl::unexpected<Error> CannotWrite(int code) {
  Error error = AvError(code, "cannot write");
  if (error.code != ErrorCode::kOverloaded) error.code = ErrorCode::kUnavailable;
  return tl::unexpected(std::move(error));
}

}  // namespace

bool Mp4Muxer::TakesAudio(AVCodecID codec) {
  const AVOutputFormat* format = av_guess_format("mp4", nullptr, nullptr);
  return format != nullptr && avformat_query_codec(format, codec, FF_COMPLIANCE_NORMAL) == 1;
}

Result<std::unique_ptr<Mp4Muxer>> Mp4Muxer::Create(FdOutput& output, const Options& options) {
  AVFormatContext* context = nullptr;
  const int code = avformat_alloc_output_context2(&context, nullptr, "mp4", nullptr);
  if (code < 0) return tl::unexpected(AvError(code, "cannot write MP4"));
  std::unique_ptr<Mp4Muxer> muxer(new Mp4Muxer(output, OutputHandle(context)));
  context->pb = output.context();
  HOLO_TRY(muxer->AddStreams(options));
  HOLO_TRY(muxer->Begin(options.comment));
  return muxer;
}

Result<void> Mp4Muxer::AddStreams(const Options& options) {
  AVStream* video = avformat_new_stream(format_.get(), nullptr);
  if (video == nullptr) return Fail(ErrorCode::kOverloaded, "out of memory");
  video_time_base_ = video->time_base = options.video->time_base;
  video->avg_frame_rate = options.video->framerate;
  if (avcodec_parameters_from_context(video->codecpar, options.video) < 0)
    return Fail(ErrorCode::kOverloaded, "out of memory");
  if (options.audio == nullptr) return {};
  AVStream* audio = avformat_new_stream(format_.get(), nullptr);
  if (audio == nullptr) return Fail(ErrorCode::kOverloaded, "out of memory");
  audio_time_base_ = audio->time_base = options.audio_time_base;
  if (avcodec_parameters_copy(audio->codecpar, options.audio) < 0)
    return Fail(ErrorCode::kOverloaded, "out of memory");
  audio->codecpar->codec_tag = 0;  // the source's container's: MP4 has its own
  return {};
}

Result<void> Mp4Muxer::Begin(const std::string& comment) {
  if (!comment.empty()) av_dict_set(&format_->metadata, "comment", comment.c_str(), 0);
  Dictionary options;
  options.Set("movflags", kFlags);
  options.Set("use_editlist", 1);
  options.Set("movie_timescale", video_time_base_.den);  // else places are rounded to 1 ms
  ForgetReason();
  const int code = avformat_write_header(format_.get(), options.get());
  if (code < 0) return tl::unexpected(AvError(code, "cannot begin an MP4"));
  return {};
}

Result<void> Mp4Muxer::WriteVideo(AVPacket& packet) {
  return Write(packet, kVideo, video_time_base_);
}

Result<void> Mp4Muxer::WriteAudio(AVPacket& packet) {
  return Write(packet, kAudio, audio_time_base_);
}

// Not av_interleaved_write_frame: it holds packets back to sort them, which come sorted.
Result<void> Mp4Muxer::Write(AVPacket& packet, int stream, AVRational time_base) {
  packet.stream_index = stream;
  packet.pos = -1;
  av_packet_rescale_ts(&packet, time_base, format_->streams[stream]->time_base);
  ForgetReason();
  const int code = av_write_frame(format_.get(), &packet);
  av_packet_unref(&packet);
  if (code < 0) return CannotWrite(code);
  if (format_->pb->error < 0) return CannotWrite(format_->pb->error);
  return {};
}

Result<void> Mp4Muxer::Finish() {
  ForgetReason();
  const int code = av_write_trailer(format_.get());
  if (code < 0) return CannotWrite(code);
  if (const int error = output_.Flush(); error < 0) return CannotWrite(error);
  return {};
}

}  // namespace holostat::media::av
