#include "media/av/audio_copier.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "media/av/av_error.h"
#include "media/av/log.h"

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;

constexpr AVRational kMicroseconds{1, 1'000'000};
constexpr auto kPatience = std::chrono::seconds(10);  // with a source, for one packet

// Decoders of AAC need a packet before the first one that is heard, those of Opus 80 ms.
constexpr microseconds kPreRoll = std::chrono::milliseconds(100);
constexpr microseconds kLatestStart = std::chrono::seconds(10);

int RefuseToOpen(AVFormatContext* /*context*/, AVIOContext** /*opened*/, const char* /*address*/,
                 int /*flags*/, AVDictionary** /*options*/) {
  return AVERROR(EACCES);
}

// When the first frame of a video is shown: what the times of its frames count from.
std::int64_t StartOf(const AVFormatContext& format, AVRational time_base) {
  const int video = av_find_best_stream(const_cast<AVFormatContext*>(&format), AVMEDIA_TYPE_VIDEO,
                                        -1, -1, nullptr, 0);
  const AVStream* stream = video < 0 ? nullptr : format.streams[video];
  if (stream != nullptr && stream->start_time != AV_NOPTS_VALUE)
    return av_rescale_q(stream->start_time, stream->time_base, time_base);
  if (format.start_time == AV_NOPTS_VALUE) return 0;
  return av_rescale_q(format.start_time, AV_TIME_BASE_Q, time_base);
}

}  // namespace

Result<std::unique_ptr<AudioCopier>> AudioCopier::Open(const Options& options) {
  std::error_code error;
  if (const auto status = std::filesystem::status(options.source, error);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return Fail(ErrorCode::kUnsupported,
                fmt::format("{} is no file, and can be read but once", options.source));
  }
  PacketHandle packet(av_packet_alloc());
  if (!packet) return Fail(ErrorCode::kOverloaded, "out of memory");
  std::unique_ptr<AudioCopier> copier(new AudioCopier(std::move(packet)));
  copier->watch_.Start(kPatience);
  HOLO_TRY(copier->OpenFormat(options.source));
  if (!HOLO_TRY(copier->FindStream())) return nullptr;
  copier->SeekTo(options.from);
  HOLO_TRY(copier->ReadPacket());
  if (!copier->has_packet_) return nullptr;
  if (av_compare_ts(copier->packet_->pts, copier->time_base(), kLatestStart.count(),
                    kMicroseconds) > 0) {
    return Fail(ErrorCode::kUnsupported, "its audio begins more than 10 s after its frames");
  }
  return copier;
}

Result<void> AudioCopier::OpenFormat(const std::string& source) {
  name_ = source;
  input_ = HOLO_TRY(FdInput::Open(source, watch_));
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) return Fail(ErrorCode::kOverloaded, "out of memory");
  context->interrupt_callback = {&Watch::IsOver, &watch_};
  context->pb = input_->context();
  context->io_open = &RefuseToOpen;
  Dictionary options;
  options.Set("protocol_whitelist", "none");
  ForgetReason();
  // On failure it frees the context.
  const int code = avformat_open_input(&context, source.c_str(), nullptr, options.get());
  if (code < 0) return tl::unexpected(AvError(code, source));
  format_.reset(context);
  const int found = avformat_find_stream_info(format_.get(), nullptr);
  if (found < 0) return tl::unexpected(AvError(found, source));
  return {};
}

Result<bool> AudioCopier::FindStream() {
  const int best = av_find_best_stream(format_.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  if (best < 0) return false;
  stream_ = format_->streams[best];
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    if (format_->streams[i] != stream_) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  return true;
}

void AudioCopier::SeekTo(microseconds from) {
  zero_ = StartOf(*format_, time_base()) + av_rescale_q(from.count(), kMicroseconds, time_base());
  if (from <= kPreRoll) return;
  const std::int64_t time = zero_ - av_rescale_q(kPreRoll.count(), kMicroseconds, time_base());
  // Where it cannot be sought, it is read from its beginning.
  av_seek_frame(format_.get(), stream_->index, time, AVSEEK_FLAG_BACKWARD);
}

Result<AVPacket*> AudioCopier::Next(microseconds end) {
  if (!has_packet_) HOLO_TRY(ReadPacket());
  if (!has_packet_) return nullptr;
  if (av_compare_ts(packet_->pts, time_base(), end.count(), kMicroseconds) >= 0) return nullptr;
  has_packet_ = false;
  return packet_.get();
}

// Fills packet_ with the next one that is wanted, and moves its times; at the end sets is_over_.
Result<void> AudioCopier::ReadPacket() {
  while (!is_over_ && !has_packet_) {
    av_packet_unref(packet_.get());
    watch_.Start(kPatience);
    ForgetReason();
    const int code = av_read_frame(format_.get(), packet_.get());
    is_over_ = code < 0;
    if (code < 0 && watch_.is_over()) return tl::unexpected(watch_.ToError(name_));
    if (code < 0 && code != AVERROR_EOF) return tl::unexpected(AvError(code, name_));
    has_packet_ = code >= 0 && IsWanted();
  }
  return {};
}

bool AudioCopier::IsWanted() {
  AVPacket& packet = *packet_;
  if (packet.stream_index != stream_->index) return false;
  if (packet.pts == AV_NOPTS_VALUE) packet.pts = packet.dts;
  if (packet.dts == AV_NOPTS_VALUE) packet.dts = packet.pts;
  if (packet.pts == AV_NOPTS_VALUE) return false;
  packet.pts -= zero_;
  packet.dts -= zero_;
  if (av_compare_ts(packet.pts + packet.duration, time_base(), -kPreRoll.count(), kMicroseconds) <=
      0) {
    return false;
  }
  // No file takes it otherwise.
  if (last_dts_ != AV_NOPTS_VALUE && packet.dts <= last_dts_) return false;
  last_dts_ = packet.dts;
  return true;
}

}  // namespace holostat::media::av
