#include "app/track_run.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "app/describe_frame.h"
#include "app/input_error.h"
#include "app/interruption.h"
#include "app/read_stdin.h"
#include "app/say.h"
#include "app/video_track.h"
#include "holostat/picture.h"
#include "media/video_source.h"

namespace holostat::app {
namespace {

std::chrono::microseconds TimeOf(std::size_t index, double fps) {
  if (fps == 0) return {};
  return std::chrono::microseconds(std::llround(static_cast<double>(index) * 1e6 / fps));
}

// Not where lines of JSON run over the same terminal.
bool ShowsProgress(const TrackCall& call) {
  const bool prints_json = call.json || call.outputs.empty();
  return !call.quiet && !(prints_json && ::isatty(STDOUT_FILENO) == 1);
}

void Summarize(const std::string& name, const FrameResult& frame, const FrameOutputs& outputs,
               std::chrono::duration<double, std::milli> elapsed) {
  Say("{} {}x{}: {} ({:.0f} ms)\n", Printable(name), frame.width, frame.height,
      DescribeFrame(frame), elapsed.count());
  for (const OutputTarget& target : outputs.targets()) {
    Say("  wrote {}\n", Printable(target.PathFor(name, 0).string()));
  }
}

}  // namespace

InputKind KindOfInput(const TrackCall& call, const std::string& name) {
  std::error_code error;
  // A picture may have a per cent sign in its name.
  const bool is_sequence = media::KindOfVideoSource(name) == media::VideoSourceKind::kSequence;
  const bool is_file = is_sequence && std::filesystem::is_regular_file(name, error);
  if (call.video.all_are_videos || (media::IsVideoName(name) && !is_file)) return InputKind::kVideo;
  return call.fps > 0 ? InputKind::kFrame : InputKind::kPicture;
}

TrackRun::TrackRun(const TrackCall& call, HolisticTracker& tracker, media::VideoLibrary* videos,
                   FrameOutputs& outputs)
    : call_(call),
      tracker_(tracker),
      videos_(videos),
      outputs_(outputs),
      progress_(call.inputs.size(), ShowsProgress(call) && call.inputs.size() > 1) {}

ExitCode TrackRun::Run() {
  const bool is_one_video = KindOfInput(call_, call_.inputs.front()) == InputKind::kFrame;
  ExitCode result = is_one_video ? Begin(0) : ExitCode::kOk;
  for (std::size_t i = 0; i < call_.inputs.size() && !interrupted; ++i) {
    const ExitCode code = TrackInput(i);
    if (result == ExitCode::kOk) result = code;
  }
  const auto finished = outputs_.Finish();
  if (!finished && result == ExitCode::kOk) {
    result = Report("the outputs", finished.error(), OutputExitCode(finished.error().code));
  }
  progress_.Clear();
  return interrupted ? ExitCode::kInterrupted : result;
}

ExitCode TrackRun::TrackInput(std::size_t place) {
  const std::string& name = call_.inputs[place];
  if (KindOfInput(call_, name) != InputKind::kVideo) {
    progress_.Update(place, Printable(name));
    return TrackPicture(place);
  }
  progress_.Clear();
  return VideoTrack(call_, tracker_, outputs_, ShowsProgress(call_)).Run(*videos_, place);
}

ExitCode TrackRun::Begin(std::size_t place) {
  const std::string& name = call_.inputs[place];
  const auto begun = outputs_.Begin(
      {.source = name, .place = place, .fps = call_.fps, .people = call_.tracker.tracker.people});
  if (begun) return ExitCode::kOk;
  return Report(name, begun.error(), OutputExitCode(begun.error().code));
}

ExitCode TrackRun::TrackPicture(std::size_t place) {
  const std::string& name = call_.inputs[place];
  const auto start = std::chrono::steady_clock::now();
  const auto image = name == "-" ? ReadStdinPicture(call_.limits) : ReadPicture(name, call_.limits);
  if (!image && interrupted) return ExitCode::kInterrupted;
  if (!image) return Report(name, image.error(), InputExitCode(image.error().code));
  const bool is_frame = call_.fps > 0;
  if (!is_frame) tracker_.Reset();  // a video may have been before it
  const auto frame = tracker_.Process(image->view(), TimeOf(place, call_.fps));
  if (!frame) return Report(name, frame.error(), InputExitCode(frame.error().code));
  const ExitCode begun = is_frame ? ExitCode::kOk : Begin(place);
  const auto written = outputs_.Write(*frame, image->view(), name, place);
  if (!written) return Report(name, written.error(), OutputExitCode(written.error().code));
  if (begun != ExitCode::kOk) return begun;
  if (!call_.quiet && call_.inputs.size() == 1)
    Summarize(name, *frame, outputs_, std::chrono::steady_clock::now() - start);
  return ExitCode::kOk;
}

ExitCode TrackRun::Report(const std::string& name, const Error& error, ExitCode code) {
  progress_.Clear();
  return StopFor(name, error, code);
}

}  // namespace holostat::app
