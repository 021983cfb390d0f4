#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/door.h"
#include "app/frame_outputs.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/tracker_options.h"
#include "base/result.h"
#include "holostat/picture.h"

namespace holostat::app {
namespace {

using pipeline::FrameFormat;

// What --max-bytes and --max-pixels may be raised to.
constexpr std::size_t kMostBytes = std::size_t{4} << 30;
constexpr std::size_t kMostPixels = std::size_t{65535} * 65535;

// Of --fps. The pictures of slower ones do not follow each other (vision/timeline.h).
constexpr double kFewestFps = 0.1, kMostFps = 1000;

// Room set aside for a picture from standard input, so that it need not move while it grows.
constexpr std::size_t kReservedBytes = std::size_t{32} << 20;

struct TrackCall {
  std::vector<std::string> pictures;
  std::vector<std::string> outputs;
  TrackerOptions tracker;
  double fps = 0;  // of the video that the pictures are the frames of; 0: they are of no video
  PictureLimits limits;
  render::FaceStyle face = render::FaceStyle::kContours;
  bool svg_picture = false;
  bool json = false;
  bool quiet = false;
};

// Set by Ctrl-C: the picture at hand is finished, then no further one is begun.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

std::chrono::microseconds TimeOf(std::size_t index, double fps) {
  if (fps == 0) return {};
  return std::chrono::microseconds(std::llround(static_cast<double>(index) * 1e6 / fps));
}

std::string Describe(const Person& person) {
  std::string text = fmt::format("pose {:.2f}", person.score);
  if (person.face)
    text += fmt::format(", face {:.2f} ({} points)", person.face->score, person.face->count);
  if (person.left_hand) text += fmt::format(", left hand {:.2f}", person.left_hand->score);
  if (person.right_hand) text += fmt::format(", right hand {:.2f}", person.right_hand->score);
  return text;
}

std::string Describe(const FrameResult& frame) {
  if (frame.people.empty()) return "nobody found";
  std::string text;
  for (const Person& person : frame.people) {
    text += fmt::format("{}person {}: {}", text.empty() ? "" : "; ", person.id, Describe(person));
  }
  return text;
}

Result<Image> ReadStdin(const PictureLimits& limits) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(std::min(limits.max_bytes, kReservedBytes));  // untouched memory costs nothing
  std::array<std::uint8_t, 65536> chunk;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR && !interrupted) continue;
    if (count < 0) return Fail(ErrorCode::kUnavailable, std::strerror(errno));
    if (count == 0) return DecodePicture(bytes, limits);
    if (bytes.size() + static_cast<std::size_t>(count) > limits.max_bytes) {
      return Fail(ErrorCode::kLimitExceeded, fmt::format("more than {} bytes", limits.max_bytes));
    }
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + count);
  }
}

// The first Ctrl-C or SIGTERM ends the run after the picture at hand, and wakes a blocked read; a
// second one ends the program at once. A signal ignored by who started us (nohup) stays ignored.
void HandleSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction old {};
    ::sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file size is then an error of write, not an end
}

// Not where lines of JSON run over the same terminal.
bool ShowsProgress(const TrackCall& call) {
  const bool prints_json = call.json || call.outputs.empty();
  return !call.quiet && call.pictures.size() > 1 && !(prints_json && ::isatty(STDOUT_FILENO) == 1);
}

// One run of `holostat track`: the pictures in order, each to every output.
class TrackRun {
 public:
  TrackRun(const TrackCall& call, HolisticTracker& tracker, FrameOutputs outputs)
      : call_(call),
        tracker_(tracker),
        outputs_(std::move(outputs)),
        progress_(call.pictures.size(), ShowsProgress(call)) {}

  // All pictures are tried. The first failure's code.
  ExitCode Run() {
    ExitCode result = call_.fps > 0 ? Begin(0) : ExitCode::kOk;
    for (std::size_t i = 0; i < call_.pictures.size() && !interrupted; ++i) {
      progress_.Update(i, Printable(call_.pictures[i]));
      const ExitCode code = TrackOne(i);
      if (result == ExitCode::kOk) result = code;
    }
    const auto finished = outputs_.Finish();
    if (!finished && result == ExitCode::kOk) {
      result = Report("the outputs", finished.error(), OutputExitCode(finished.error().code));
    }
    progress_.Clear();
    return interrupted ? ExitCode::kInterrupted : result;
  }

 private:
  ExitCode Begin(std::size_t index) {
    const std::string& name = call_.pictures[index];
    const auto begun = outputs_.Begin({.source = name, .place = index, .fps = call_.fps});
    if (begun) return ExitCode::kOk;
    return Report(name, begun.error(), OutputExitCode(begun.error().code));
  }

  ExitCode TrackOne(std::size_t index) {
    const std::string& name = call_.pictures[index];
    const auto start = std::chrono::steady_clock::now();
    const auto image = name == "-" ? ReadStdin(call_.limits) : ReadPicture(name, call_.limits);
    if (!image && interrupted) return ExitCode::kInterrupted;
    if (!image) return Report(name, image.error(), InputExitCode(image.error().code));
    const auto frame = tracker_.Process(image->view(), TimeOf(index, call_.fps));
    if (!frame) return Report(name, frame.error(), InputExitCode(frame.error().code));
    const ExitCode begun = call_.fps > 0 ? ExitCode::kOk : Begin(index);
    const auto written = outputs_.Write(*frame, image->view(), name, index);
    if (!written) return Report(name, written.error(), OutputExitCode(written.error().code));
    if (begun != ExitCode::kOk) return begun;
    if (!call_.quiet && call_.pictures.size() == 1) {
      Summarize(name, *frame, std::chrono::steady_clock::now() - start);
    }
    return ExitCode::kOk;
  }

  void Summarize(const std::string& name, const FrameResult& frame,
                 std::chrono::duration<double, std::milli> elapsed) const {
    Say("{} {}x{}: {} ({:.0f} ms)\n", Printable(name), frame.width, frame.height, Describe(frame),
        elapsed.count());
    for (const OutputTarget& target : outputs_.targets()) {
      Say("  wrote {}\n", Printable(target.PathFor(name, 0).string()));
    }
  }

  // `name` may already stand at the head of the message.
  ExitCode Report(const std::string& name, const Error& error, ExitCode code) {
    progress_.Clear();
    const bool is_named = error.message.find(name) != std::string::npos && name != "-";
    const std::string who = name == "-" ? "standard input" : name;
    return Stop(is_named ? error : WithContext(error, who), code);
  }

  const TrackCall& call_;
  HolisticTracker& tracker_;
  FrameOutputs outputs_;
  Progress progress_;
};

std::vector<Input> InputsOf(const TrackCall& call) {
  std::vector<Input> inputs;
  const InputKind kind = call.fps > 0 ? InputKind::kFrame : InputKind::kPicture;
  for (const std::string& name : call.pictures) inputs.push_back({name, kind});
  return inputs;
}

ExitCode Track(const TrackCall& call) {
  auto targets = ParseOutputTargets(call.outputs, InputsOf(call));
  if (!targets) return Stop(targets.error(), ExitCode::kUsage);
  TrackerOptions options = call.tracker;
  for (const OutputTarget& target : *targets) {
    if (target.format == FrameFormat::kMask) options.tracker.segmentation = true;
  }
  if (call.fps > 0) options.tracker.frames = Frames::kVideo;
  const auto door = OpenDoor("track");
  const auto tracker = CreateTracker(options);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  const bool print_json = call.json || targets->empty();
  auto outputs = FrameOutputs::Open(
      *std::move(targets),
      {.face = call.face, .link_picture = call.svg_picture, .print_json = print_json});
  if (!outputs) return Stop(outputs.error(), OutputExitCode(outputs.error().code));
  HandleSignals();
  return TrackRun(call, **tracker, *std::move(outputs)).Run();
}

constexpr char kFooter[] =
    "Without -o, one JSON document a line goes to standard output. Formats are told by the "
    "ending:\n"
    "  .json .jsonl  landmarks (docs/frame-json.md)     .svg       drawing, one layer a part\n"
    "  .jpg .png     the picture with the drawing on it .mask.png  silhouette of the body (grey)\n"
    "  .openpose.json .coco.json  keypoints of those programs (docs/formats.md)\n"
    "In -o, {name} is the picture's name without its ending, {index} its place in the call from "
    "0,\n"
    "{frame} the same with six digits. The frames of a video (--fps) go into one .json together,\n"
    "unless its name tells them apart.\n"
    "Missing folders are made. Files are replaced whole; .jsonl grows line by line. A .mask.png\n"
    "turns --segmentation on, which then shows in the other outputs as well.\n\n"
    "Examples:\n"
    "  holostat track me.jpg                           landmarks to the terminal\n"
    "  holostat track me.jpg -o me.svg -o me.out.jpg   drawn, twice\n"
    "  holostat track *.jpg -o all.jsonl               a line a picture\n"
    "  holostat track *.jpg -o 'out/{name}.json' --complexity heavy\n"
    "  holostat track frame*.png --fps 30 -o clip.jsonl  follow a person through a video\n"
    "  curl -s URL | holostat track - | jq '.people[0].pose_landmarks[0]'\n\n"
    "Exit codes: 0 ok, also when nobody is found; 1 internal, or output not writable; 2 usage;\n"
    "3 input unreadable; 4 model missing or damaged; 5 over a limit; 130 interrupted. With "
    "several\n"
    "pictures, all are tried and the first failure's code is given.";

}  // namespace

Command AddTrackCommand(CLI::App& program) {
  const std::map<std::string, render::FaceStyle> faces{
      {"contours", render::FaceStyle::kContours},
      {"tessellation", render::FaceStyle::kTessellation},
      {"none", render::FaceStyle::kNone}};
  auto call = std::make_shared<TrackCall>();
  CLI::App* parser =
      program.add_subcommand("track", "Find body, hands and face of a person in pictures");
  parser->footer(kFooter);
  parser->add_option("PICTURE", call->pictures, "JPEG, PNG, WebP or GIF files; - is standard input")
      ->required();
  parser->add_option("-o,--out", call->outputs, "Write to FILE; may be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddTrackerOptions(*parser, call->tracker);
  CLI::Option* fps =
      parser
          ->add_option("--fps", call->fps,
                       "The pictures are the frames of a video, N a second: follow the person from "
                       "each to the next")
          ->type_name("N")
          ->check(CLI::Range(kFewestFps, kMostFps));
  parser
      ->add_flag("!--no-smooth", call->tracker.tracker.smooth_landmarks,
                 "Leave the landmarks of a video as they are found")
      ->needs(fps);
  parser
      ->add_option_function<std::string>(
          "--face", [call, faces](const std::string& name) { call->face = faces.at(name); },
          "How the face is drawn: contours (default), tessellation or none")
      ->type_name("STYLE")
      ->check(CLI::IsMember(faces));
  parser->add_flag("--svg-picture", call->svg_picture,
                   "Put a link to the picture behind an SVG drawing");
  parser->add_option("--max-bytes", call->limits.max_bytes, "Refuse larger files (default 32 MiB)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, kMostBytes));
  parser
      ->add_option("--max-pixels", call->limits.max_pixels,
                   "Refuse larger pictures (default 64000000)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, kMostPixels));
  parser->add_flag("--json", call->json, "JSON lines to standard output even when -o is given");
  parser->add_flag("-q,--quiet", call->quiet, "Say nothing but errors");
  return {parser, [call] { return Track(*call); }};
}

}  // namespace holostat::app
