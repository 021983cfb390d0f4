#include "app/video_track.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "app/input_error.h"
#include "app/interruption.h"
#include "app/media_time.h"
#include "app/say.h"
#include "app/video_options.h"

namespace holostat::app {
namespace {

using std::chrono::microseconds;
using Seconds = std::chrono::duration<double>;

// A video that ends earlier than it says by more than both is worth a word.
constexpr auto kShortBy = Seconds(1);
constexpr double kShortByShare = 0.05;

// Times in a .jsonl file have three decimals of a millisecond.
constexpr double kSameTimeMs = 0.0015;

// Where the wanted part of a video ends, if that can be known.
std::optional<microseconds> EndOf(const VideoCall& call, const media::VideoInfo& info) {
  if (!info.duration) return call.to;
  return call.to ? std::min(*call.to, *info.duration) : *info.duration;
}

tl::unexpected<Error> OtherSource(const std::string& what) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("--resume: the file is of another video or of other options: {}", what));
}

}  // namespace

VideoTrack::VideoTrack(const TrackCall& call, HolisticTracker& tracker, FrameOutputs& outputs,
                       bool shows_progress)
    : call_(call), tracker_(tracker), outputs_(outputs), line_(shows_progress) {}

ExitCode VideoTrack::Run(media::VideoLibrary& videos, std::size_t place) {
  place_ = place;
  name_ = call_.inputs[place];
  const auto reader = Open(videos);
  if (!reader && interrupted) return ExitCode::kInterrupted;
  if (!reader) return Report(reader.error(), InputExitCode(reader.error().code));
  tracker_.Reset();
  const ExitCode code = TrackFrames(**reader);
  line_.Clear();
  if (!call_.quiet && stats_.frames > 0) Summarize(**reader);
  return code != ExitCode::kOk || interrupted ? code : CheckEnd(**reader);
}

Result<std::unique_ptr<media::VideoReader>> VideoTrack::Open(media::VideoLibrary& videos) {
  if (call_.video.resume) resumed_ = HOLO_TRY(FindResumePoint(ResumedFile()));
  auto options = ReaderOptions(call_.video, call_.limits.max_pixels);
  options.fps = call_.fps;
  // The last frame of the file is read once more, to see that it is the same.
  options.first_index = resumed_ ? resumed_->frame : 0;
  auto reader = HOLO_TRY(OpenAhead(videos, name_, options));
  if (resumed_ && reader->info().is_live)
    return Fail(ErrorCode::kUnsupported, "a camera or a stream cannot be continued with --resume");
  return reader;
}

// There is one output, and it is lines (cmd_track.cc).
std::filesystem::path VideoTrack::ResumedFile() const {
  return outputs_.targets().front().PathFor(name_, place_);
}

ExitCode VideoTrack::TrackFrames(media::VideoReader& reader) {
  const auto start = std::chrono::steady_clock::now();
  ExitCode result = ExitCode::kOk;
  while (!interrupted) {
    const auto next = reader.Next();
    if (!next && interrupted) break;
    if (!next) return Report(next.error(), InputExitCode(next.error().code));
    if (!*next) return result;
    const ExitCode code = TrackFrame(**next, reader.info());
    if (result == ExitCode::kOk) result = code;
    if (code == ExitCode::kUsage || (is_begun_ && !outputs_.can_write())) return result;
    stats_.elapsed = std::chrono::steady_clock::now() - start;
    DrawProgress(reader.info());
  }
  return result;
}

ExitCode VideoTrack::TrackFrame(const media::VideoFrame& frame, const media::VideoInfo& info) {
  if (resumed_ && !is_begun_) {
    const auto same = CheckResumed(frame);
    if (!same) return Report(same.error(), ExitCode::kUsage);
  }
  ExitCode result = ExitCode::kOk;
  if (!is_begun_) {
    result = Begin(frame, info);
    if (resumed_ || !outputs_.can_write()) return result;  // what was resumed has this frame
  }
  const auto found = tracker_.Process(frame.image, frame.timestamp);
  if (!found) {
    const bool is_first = stats_.failed++ == 0;
    const ExitCode code = InputExitCode(found.error().code);
    return is_first ? Report(WithContext(found.error(), fmt::format("frame {}", frame.index)), code)
                    : code;
  }
  stats_.Add(*found, tracker_);
  const auto written = outputs_.Write(*found, frame.image, name_, frame.index);
  return written ? result : CountUnwritten(written.error());
}

Result<void> VideoTrack::CheckResumed(const media::VideoFrame& frame) const {
  const double time_ms = std::chrono::duration<double, std::milli>(frame.timestamp).count();
  if (frame.index != resumed_->frame || std::abs(time_ms - resumed_->timestamp_ms) > kSameTimeMs) {
    return OtherSource(
        fmt::format("it ends with frame {} at {:g} ms, where {} has frame {} at {:g} ms",
                    resumed_->frame, resumed_->timestamp_ms, name_, frame.index, time_ms));
  }
  if (frame.image.width != resumed_->width || frame.image.height != resumed_->height) {
    return OtherSource(fmt::format("frame {} is {}x{} there and {}x{} here", frame.index,
                                   resumed_->width, resumed_->height, frame.image.width,
                                   frame.image.height));
  }
  const std::size_t points = call_.tracker.tracker.refine_face ? kFaceRefinedCount : kFaceMeshCount;
  if (resumed_->face_points.value_or(points) != points)
    return OtherSource(fmt::format("faces have {} points there", *resumed_->face_points));
  return {};
}

ExitCode VideoTrack::Begin(const media::VideoFrame& frame, const media::VideoInfo& info) {
  is_begun_ = true;
  if (call_.video.resume) {
    const auto cut = CutAfter(ResumedFile(), resumed_ ? resumed_->bytes : 0);
    if (!cut) return Report(cut.error(), OutputExitCode(cut.error().code));
  }
  const auto begun = outputs_.Begin({.source = name_,
                                     .place = place_,
                                     .fps = info.fps / static_cast<double>(call_.video.every),
                                     .from = frame.timestamp,
                                     .people = call_.tracker.tracker.people});
  if (begun) return ExitCode::kOk;
  return Report(begun.error(), OutputExitCode(begun.error().code));
}

ExitCode VideoTrack::CountUnwritten(const Error& error) {
  const ExitCode code = OutputExitCode(error.code);
  return stats_.unwritten++ == 0 ? Report(error, code) : code;
}

// Whether all that was wanted has come.
ExitCode VideoTrack::CheckEnd(const media::VideoReader& reader) {
  if (!is_begun_) {
    const std::string message =
        resumed_ ? "--resume: the file has more frames than this part of the video"
                 : "there is no frame in this part of the video";
    return Report({ErrorCode::kNotFound, message},
                  resumed_ ? ExitCode::kUsage : ExitCode::kInputUnreadable);
  }
  if (stats_.frames == 0 && resumed_ && !call_.quiet)
    Say("{}: nothing was left to do\n", Printable(name_));
  const auto end = EndOf(call_.video, reader.info());
  if (!end || stats_.frames == 0 || call_.quiet) return ExitCode::kOk;
  const std::chrono::microseconds last = reader.counts().last;
  const Seconds missing = *end - last;
  if (missing > kShortBy && missing > kShortByShare * Seconds(*end - stats_.first)) {
    Say("holostat: {}: its frames end at {}, though it says that it goes on to {}: it may be cut "
        "off\n",
        Printable(name_), FormatMediaTime(last), FormatMediaTime(*end));
  }
  return ExitCode::kOk;
}

void VideoTrack::DrawProgress(const media::VideoInfo& info) {
  if (line_.is_due())
    line_.Draw(DescribeProgress(stats_, EndOf(call_.video, info), Printable(name_)));
}

void VideoTrack::Summarize(const media::VideoReader& reader) {
  Say("{}: {}\n", Printable(name_), DescribeVideo(stats_, reader.counts(), reader.info()));
  for (const OutputTarget& target : outputs_.targets()) {
    const std::string path =
        target.span == Span::kFrame ? target.pattern : target.PathFor(name_, place_).string();
    Say("  wrote {}\n", Printable(path));
  }
}

ExitCode VideoTrack::Report(const Error& error, ExitCode code) {
  line_.Clear();
  return StopFor(name_, error, code);
}

}  // namespace holostat::app
