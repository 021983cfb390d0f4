#include "media/av/demuxer.h"

extern "C" {
#include <libavutil/error.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "media/av/av_error.h"
#include "media/av/log.h"

namespace holostat::media::av {
namespace {

// What an address may lead to: never a file, a pipe, or a program's socket.
constexpr char kNetworkProtocols[] =
    "http,https,httpproxy,tcp,tls,udp,rtp,srtp,rtsp,rtmp,rtmpe,rtmps,rtmpt,rtmpte,rtmpts,srt,"
    "crypto";
constexpr std::array<std::string_view, 13> kSchemes{"http",  "https", "rtsp",  "rtsps",  "rtmp",
                                                    "rtmpe", "rtmps", "rtmpt", "rtmpts", "srt",
                                                    "tcp",   "udp",   "rtp"};
// Those whose sources run on by themselves. The others may be files.
constexpr std::array<std::string_view, 3> kFileSchemes{"http", "https", "tcp"};

// How often a camera that has no frame yet is asked again.
constexpr auto kCameraPause = std::chrono::milliseconds(2);

// After so many unreadable packets in a row there is nothing more to be hoped for.
constexpr int kMostPassedOver = 1000;

template <std::size_t N>
bool Contains(const std::array<std::string_view, N>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

int RefuseToOpen(AVFormatContext* /*context*/, AVIOContext** /*opened*/, const char* /*address*/,
                 int /*flags*/, AVDictionary** /*options*/) {
  return AVERROR(EACCES);
}

std::string NameOf(const std::string& source) { return source == "-" ? "standard input" : source; }

Result<const AVInputFormat*> FindFormat(const std::string& name) {
  if (name.empty()) return nullptr;
  if (const AVInputFormat* format = av_find_input_format(name.c_str())) return format;
  return Fail(ErrorCode::kInvalidArgument, fmt::format("FFmpeg knows no format {}", name));
}

const char* ImpliedFormat(VideoSourceKind kind) {
  switch (kind) {
    case VideoSourceKind::kDevice:
      return "v4l2";
    case VideoSourceKind::kSequence:
      return "image2";
    case VideoSourceKind::kAddress:
    case VideoSourceKind::kFile:
    case VideoSourceKind::kStandardInput:
      return "";
  }
  return "";
}

Result<void> SetSequence(const std::string& pattern, Dictionary& entries) {
  entries.Set("protocol_whitelist", "file");
  entries.Set("pattern_type", "sequence");
  entries.Set("start_number", HOLO_TRY(FirstOfSequence(pattern)));
  return {};
}

// Options of formats that do not know them are left over, and of no effect.
Result<void> SetOptions(VideoSourceKind kind, const std::string& source,
                        const VideoReader::Options& options, Dictionary& entries) {
  if (options.fps > 0) entries.Set("framerate", fmt::format("{}", options.fps).c_str());
  switch (kind) {
    case VideoSourceKind::kAddress:
      entries.Set("protocol_whitelist", kNetworkProtocols);
      entries.Set("rtsp_flags", "prefer_tcp");  // gets through routers, and loses nothing
      return {};
    case VideoSourceKind::kSequence:
      return SetSequence(source, entries);
    case VideoSourceKind::kDevice:
    case VideoSourceKind::kFile:
    case VideoSourceKind::kStandardInput:
      entries.Set("protocol_whitelist", "none");
      return {};
  }
  return {};
}

Result<void> CheckScheme(const std::string& source) {
  const std::string scheme = SchemeOf(source);
  if (Contains(kSchemes, scheme)) return {};
  return Fail(ErrorCode::kUnsupported,
              fmt::format("{}: addresses of the kind {}:// are not opened", source, scheme));
}

bool RunsByItself(VideoSourceKind kind, const std::string& source, const AVFormatContext& format) {
  if (kind == VideoSourceKind::kDevice) return true;
  if (kind != VideoSourceKind::kAddress) return false;
  return !Contains(kFileSchemes, SchemeOf(source)) || format.duration == AV_NOPTS_VALUE;
}

// Pictures of a cover are streams as well.
bool IsVideo(const AVStream& stream) {
  return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
         (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
}

// The best by FFmpeg's judgement, else the first.
AVStream* ChooseStream(AVFormatContext& format) {
  const int best = av_find_best_stream(&format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (best >= 0 && IsVideo(*format.streams[best])) return format.streams[best];
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    if (IsVideo(*format.streams[i])) return format.streams[i];
  }
  return nullptr;
}

bool HasAudio(const AVFormatContext& format) {
  return std::any_of(format.streams, format.streams + format.nb_streams, [](const AVStream* s) {
    return s->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  });
}

// Looking for what the container does not say decodes a frame or two: within the same limit.
int FindStreamInfo(AVFormatContext& format, std::size_t max_pixels) {
  std::vector<AVDictionary*> entries(format.nb_streams, nullptr);
  for (AVDictionary*& one : entries) {
    av_dict_set_int(&one, "max_pixels", static_cast<std::int64_t>(max_pixels), 0);
    av_dict_set(&one, "threads", "1", 0);
  }
  const int code = avformat_find_stream_info(&format, entries.data());
  for (AVDictionary*& one : entries) av_dict_free(&one);
  return code;
}

}  // namespace

Result<std::unique_ptr<Demuxer>> Demuxer::Open(const std::string& source,
                                               const VideoReader::Options& options, Watch& watch) {
  const VideoSourceKind kind = KindOfVideoSource(source);
  if (kind == VideoSourceKind::kAddress) HOLO_TRY(CheckScheme(source));
  std::unique_ptr<Demuxer> demuxer(new Demuxer(NameOf(source), watch));
  if (kind == VideoSourceKind::kFile || kind == VideoSourceKind::kStandardInput)
    demuxer->input_ = HOLO_TRY(FdInput::Open(source, watch));
  HOLO_TRY(demuxer->OpenFormat(kind, options));
  HOLO_TRY(demuxer->FindStream(options));
  demuxer->is_live_ = RunsByItself(kind, source, *demuxer->format_);
  return demuxer;
}

Result<void> Demuxer::OpenFormat(VideoSourceKind kind, const VideoReader::Options& options) {
  const AVInputFormat* wanted =
      HOLO_TRY(FindFormat(options.format.empty() ? ImpliedFormat(kind) : options.format));
  Dictionary entries;
  HOLO_TRY(SetOptions(kind, name_, options, entries));
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) throw std::bad_alloc();
  context->interrupt_callback = {&Watch::IsOver, const_cast<Watch*>(&watch_)};
  // A camera's driver would wait where nobody asks the watch.
  if (kind == VideoSourceKind::kDevice) context->flags |= AVFMT_FLAG_NONBLOCK;
  if (input_) {
    context->pb = input_->context();
    context->io_open = &RefuseToOpen;
  }
  ForgetReason();
  // The name decides about formats where the bytes do not; with input_ it opens nothing.
  const int code = avformat_open_input(&context, name_.c_str(), wanted, entries.get());
  if (code < 0) return tl::unexpected(ReadError(code));  // the context is freed
  format_.reset(context);
  return {};
}

Result<void> Demuxer::FindStream(const VideoReader::Options& options) {
  const int code = FindStreamInfo(*format_, options.max_pixels);
  if (watch_.is_over()) return tl::unexpected(watch_.ToError(name_));
  if (code < 0) return tl::unexpected(ReadError(code));
  stream_ = ChooseStream(*format_);
  has_audio_ = HasAudio(*format_);
  if (stream_ == nullptr) {
    return Fail(ErrorCode::kUnsupported,
                fmt::format("{}: has no video{}", name_, has_audio_ ? ", only audio" : ""));
  }
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    if (format_->streams[i] != stream_) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  return {};
}

Result<bool> Demuxer::Read(AVPacket& packet, std::uint64_t& broken) {
  for (;;) {
    const int code = av_read_frame(format_.get(), &packet);
    if (code >= 0) {
      passed_over_ = 0;
      if (packet.stream_index == stream_->index) return true;
      av_packet_unref(&packet);
      continue;
    }
    if (watch_.is_over()) return tl::unexpected(watch_.ToError(name_));
    if (code == AVERROR(EAGAIN)) {
      std::this_thread::sleep_for(kCameraPause);
      continue;
    }
    const bool is_cut = format_->pb != nullptr && format_->pb->error < 0;
    if (code == AVERROR_EOF && !is_cut) return false;
    if (!CanPassOver(code)) return tl::unexpected(ReadError(is_cut ? format_->pb->error : code));
    ++broken;
  }
}

// Whether what comes next may be readable.
bool Demuxer::CanPassOver(int code) {
  return code == AVERROR_INVALIDDATA && ++passed_over_ < kMostPassedOver;
}

bool Demuxer::SeekTo(std::int64_t time) {
  return !is_live_ && av_seek_frame(format_.get(), stream_->index, time, AVSEEK_FLAG_BACKWARD) >= 0;
}

Error Demuxer::ReadError(int code) const {
  return watch_.is_over() ? watch_.ToError(name_) : AvError(code, name_);
}

}  // namespace holostat::media::av
