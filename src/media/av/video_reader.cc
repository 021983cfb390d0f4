#include "media/av/video_reader.h"

extern "C" {
#include <libavutil/display.h>
}

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <optional>
#include <utility>

#include "media/av/decoder.h"
#include "media/av/demuxer.h"
#include "media/av/frame_times.h"
#include "media/av/handles.h"
#include "media/av/log.h"
#include "media/av/to_rgb.h"
#include "media/av/turn.h"
#include "media/av/watch.h"

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;

// Where neither the source nor the caller says how many frames a second there are.
constexpr double kGuessedFps = 25;

// A timestamp that leaps ahead is no end: so many in a row, past `to`, are.
constexpr int kFramesPastEnd = 32;

double RateOf(const AVStream& stream) {
  for (const AVRational rate : {stream.avg_frame_rate, stream.r_frame_rate}) {
    if (rate.num > 0 && rate.den > 0) return av_q2d(rate);
  }
  return 0;
}

std::optional<microseconds> DurationOf(const AVFormatContext& format, const AVStream& stream) {
  if (stream.duration > 0 && stream.duration != AV_NOPTS_VALUE)
    return microseconds(av_rescale_q(stream.duration, stream.time_base, {1, 1'000'000}));
  // From the bit rate it is a guess, and may be far off.
  const bool is_guess = format.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE;
  if (format.duration > 0 && !is_guess) return microseconds(format.duration);  // AV_TIME_BASE
  return std::nullopt;
}

Turn StreamTurn(const AVStream& stream) {
  std::size_t bytes = 0;
  const std::uint8_t* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
  if (matrix == nullptr || bytes < 9 * sizeof(std::int32_t)) return {};
  return TurnOf(reinterpret_cast<const std::int32_t*>(matrix));
}

VideoInfo InfoOf(Demuxer& demuxer, Turn turn) {
  const AVFormatContext& format = demuxer.format();
  const AVStream& stream = demuxer.stream();
  VideoInfo info;
  info.width = turn.transpose ? stream.codecpar->height : stream.codecpar->width;
  info.height = turn.transpose ? stream.codecpar->width : stream.codecpar->height;
  info.fps = RateOf(stream);
  info.format = format.iformat->name;
  info.codec = avcodec_get_name(stream.codecpar->codec_id);
  info.has_audio = demuxer.has_audio();
  info.is_live = demuxer.is_live();
  if (!info.is_live) info.duration = DurationOf(format, stream);
  return info;
}

FrameTimes TimesOf(const AVStream& stream, const VideoInfo& info) {
  const double fps = info.fps > 0 ? info.fps : kGuessedFps;
  std::optional<std::int64_t> start;
  if (!info.is_live && stream.start_time != AV_NOPTS_VALUE) start = stream.start_time;
  return {stream.time_base, start, microseconds(std::llround(1e6 / fps))};
}

std::optional<std::int64_t> TimestampOf(const AVFrame& frame) {
  if (frame.best_effort_timestamp == AV_NOPTS_VALUE) return std::nullopt;
  return frame.best_effort_timestamp;
}

class Reader final : public VideoReader {
 public:
  Reader(const Options& options, std::unique_ptr<Watch> watch, std::unique_ptr<Demuxer> demuxer,
         std::unique_ptr<Decoder> decoder)
      : options_(options),
        watch_(std::move(watch)),
        demuxer_(std::move(demuxer)),
        decoder_(std::move(decoder)),
        packet_(av_packet_alloc()),
        frame_(av_frame_alloc()),
        turn_(StreamTurn(demuxer_->stream())),
        info_(InfoOf(*demuxer_, turn_)),
        times_(TimesOf(demuxer_->stream(), info_)) {
    if (!packet_ || !frame_) throw std::bad_alloc();
    if (options_.from > microseconds(0)) Seek();
  }

  const VideoInfo& info() const override { return info_; }
  void Interrupt() noexcept override { watch_->Interrupt(); }

  VideoCounts counts() const override {
    VideoCounts counts = counts_;
    counts.odd_times = times_.odd();
    return counts;
  }

  Result<std::optional<VideoFrame>> Next() override {
    if (failure_) return tl::unexpected(*failure_);
    auto next = NextOrOverloaded();
    if (!next) failure_ = next.error();
    return next;
  }

 private:
  // A decoded frame's place in the source.
  struct Place {
    microseconds time{0};
    std::uint64_t index = 0;
  };

  void Seek() {
    const auto target = times_.ToSource(options_.from);
    if (!target || info_.fps <= 0 || !demuxer_->SeekTo(*target)) return;  // decoded up to there
    decoder_->Flush();
    times_.Continue(options_.from);
    is_sought_ = true;
  }

  Result<std::optional<VideoFrame>> NextOrOverloaded() {
    try {
      return FindNext();
    } catch (const std::bad_alloc&) {
      return Fail(ErrorCode::kOverloaded, fmt::format("{}: out of memory", demuxer_->name()));
    }
  }

  Result<std::optional<VideoFrame>> FindNext() {
    while (!at_end_) {
      watch_->Start(options_.read_timeout);
      const bool is_there = HOLO_TRY(Decode());
      if (!is_there) {
        at_end_ = true;
        HOLO_TRY(CheckThereWasOne());
        break;
      }
      const Place place = Locate();
      if (IsWanted(place)) return Give(place);
    }
    return std::optional<VideoFrame>();
  }

  // The next whole frame; false at the end.
  Result<bool> Decode() {
    for (;;) {
      if (watch_->is_over()) return tl::unexpected(watch_->ToError(demuxer_->name()));
      switch (HOLO_TRY(decoder_->Receive(*frame_))) {
        case Decoder::Step::kDone:
          return true;
        case Decoder::Step::kEnd:
          return false;
        case Decoder::Step::kBroken:
          CountBroken();
          break;
        case Decoder::Step::kNeedsPacket:
          HOLO_TRY(Feed());
          break;
      }
    }
  }

  Result<void> Feed() {
    const bool is_there = HOLO_TRY(demuxer_->Read(*packet_, counts_.broken));
    const auto sent = decoder_->Send(is_there ? packet_.get() : nullptr);
    av_packet_unref(packet_.get());
    if (HOLO_TRY(sent) == Decoder::Step::kBroken) CountBroken();
    return {};
  }

  // It was one of the source's frames, if not for us.
  void CountBroken() {
    ++counts_.broken;
    if (is_located_) ++next_index_;
    last_reason_ = counts_.frames == 0 ? Reason() : std::string();
  }

  Result<void> CheckThereWasOne() const {
    if (is_located_ || is_sought_) return {};
    std::string message = fmt::format("{}: there is no frame in it", demuxer_->name());
    if (counts_.broken > 0) message += fmt::format(", but {} broken ones", counts_.broken);
    if (!last_reason_.empty()) message += fmt::format(" ({})", last_reason_);
    return Fail(ErrorCode::kCorruptData, std::move(message));
  }

  Place Locate() {
    const microseconds time = times_.Next(TimestampOf(*frame_));
    if (!is_located_ && is_sought_) {
      const double index = std::chrono::duration<double>(time).count() * info_.fps;
      next_index_ = index > 0 ? static_cast<std::uint64_t>(std::llround(index)) : 0;
    }
    is_located_ = true;
    counts_.last = time;
    return {time, next_index_++};
  }

  bool IsWanted(const Place& place) {
    // Later ones that go back in time are odd, but wanted.
    if (!is_begun_ && place.time < options_.from) return false;
    is_begun_ = true;
    if (options_.to && place.time >= *options_.to) {
      at_end_ = ++past_end_ >= kFramesPastEnd || info_.is_live;
      return false;
    }
    past_end_ = 0;
    return place.index >= options_.first_index && place.index % options_.every == 0;
  }

  Result<std::optional<VideoFrame>> Give(const Place& place) {
    HOLO_TRY(CheckPixels(demuxer_->name(), frame_->width, frame_->height, options_.max_pixels));
    const auto picture = to_rgb_.Convert(*frame_, FrameTurn());
    if (!picture) return tl::unexpected(WithContext(picture.error(), demuxer_->name()));
    CountSize(*picture);
    ++counts_.frames;
    return VideoFrame{*picture, place.time, place.index};
  }

  // A frame may name its own; the stream's is that of all others.
  Turn FrameTurn() const {
    const AVFrameSideData* own = av_frame_get_side_data(frame_.get(), AV_FRAME_DATA_DISPLAYMATRIX);
    if (own == nullptr || own->size < 9 * sizeof(std::int32_t)) return turn_;
    return TurnOf(reinterpret_cast<const std::int32_t*>(own->data));
  }

  void CountSize(const ImageView& picture) {
    if (counts_.frames > 0 && (picture.width != last_width_ || picture.height != last_height_))
      ++counts_.size_changes;
    last_width_ = picture.width;
    last_height_ = picture.height;
  }

  Options options_;
  std::unique_ptr<Watch> watch_;  // before demuxer_, which asks it until it is closed
  std::unique_ptr<Demuxer> demuxer_;
  std::unique_ptr<Decoder> decoder_;
  PacketHandle packet_;
  FrameHandle frame_;
  Turn turn_;
  VideoInfo info_;
  FrameTimes times_;
  ToRgb to_rgb_;
  VideoCounts counts_;
  std::optional<Error> failure_;
  std::string last_reason_;  // why there was no frame, while there is none
  std::uint64_t next_index_ = 0;
  bool is_sought_ = false;
  bool is_located_ = false;  // next_index_ is that of the source
  bool is_begun_ = false;    // `from` has been reached
  bool at_end_ = false;
  int past_end_ = 0;
  int last_width_ = 0, last_height_ = 0;
};

Result<void> CheckOptions(const VideoReader::Options& options) {
  const bool valid = options.every >= 1 && options.from >= microseconds(0) &&
                     (!options.to || *options.to > options.from) && options.fps >= 0;
  if (valid) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "a part of a video must have a length, and `every` be 1 or more");
}

}  // namespace

Result<std::unique_ptr<VideoReader>> OpenVideoReader(const std::string& source,
                                                     const VideoReader::Options& options) {
  HOLO_TRY(CheckOptions(options));
  auto watch = std::make_unique<Watch>(options.interrupted);
  watch->Start(options.open_timeout);
  auto demuxer = HOLO_TRY(Demuxer::Open(source, options, *watch));
  const AVCodecParameters& about = *demuxer->stream().codecpar;
  HOLO_TRY(CheckPixels(demuxer->name(), about.width, about.height, options.max_pixels));
  auto decoder = HOLO_TRY(Decoder::Open(demuxer->stream(), demuxer->name(), options.max_pixels));
  return std::make_unique<Reader>(options, std::move(watch), std::move(demuxer),
                                  std::move(decoder));
}

}  // namespace holostat::media::av
