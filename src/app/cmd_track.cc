#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/door.h"
#include "app/frame_outputs.h"
#include "app/interruption.h"
#include "app/say.h"
#include "app/track_call.h"
#include "app/track_run.h"
#include "app/tracker_options.h"
#include "app/video_options.h"
#include "base/result.h"
#include "holostat/picture.h"
#include "media/video.h"

namespace holostat::app {
namespace {

using pipeline::FrameFormat;

// What --max-bytes and --max-pixels may be raised to.
constexpr std::size_t kMostBytes = std::size_t{4} << 30;
constexpr std::size_t kMostPixels = std::size_t{65535} * 65535;

// Of --fps. The pictures of slower ones do not follow each other (vision/timeline.h).
constexpr double kFewestFps = 0.1, kMostFps = 1000;

std::vector<Input> InputsOf(const TrackCall& call) {
  std::vector<Input> inputs;
  for (const std::string& name : call.inputs) inputs.push_back({name, KindOfInput(call, name)});
  return inputs;
}

bool HasKind(const std::vector<Input>& inputs, InputKind kind) {
  return std::ranges::any_of(inputs, [&](const Input& input) { return input.kind == kind; });
}

tl::unexpected<Error> Wrong(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

// What the options mean depends on what the inputs are.
Result<void> CheckCall(const TrackCall& call, const std::vector<Input>& inputs) {
  const bool has_video = HasKind(inputs, InputKind::kVideo);
  const VideoCall& video = call.video;
  if (has_video && HasKind(inputs, InputKind::kFrame))
    return Wrong("--fps: either all inputs are pictures, or none is");
  if (!has_video && call.fps == 0 && !call.tracker.tracker.smooth_landmarks)
    return Wrong("--no-smooth is of no use without a video; for the pictures of one, give --fps");
  const bool is_part = video.from.count() > 0 || video.to || video.every > 1 || video.resume;
  if (!has_video && is_part) return Wrong("--from, --to, --every and --resume are for videos");
  if (video.to && *video.to <= video.from) return Wrong("--to must come after --from");
  return {};
}

Result<void> CheckResume(const TrackCall& call, const std::vector<Input>& inputs,
                         const std::vector<OutputTarget>& targets) {
  if (!call.video.resume) return {};
  if (targets.size() != 1 || targets[0].sink != SinkKind::kJsonLines)
    return Wrong("--resume continues a .jsonl file: it needs one -o, and that ending");
  if (inputs.size() > 1 && targets[0].span != Span::kInput)
    return Wrong("--resume with several videos needs a file each: -o '{name}.jsonl'");
  if (HasKind(inputs, InputKind::kPicture)) return Wrong("--resume is for videos only");
  return {};
}

ExitCode Track(const TrackCall& call) {
  const std::vector<Input> inputs = InputsOf(call);
  if (const auto valid = CheckCall(call, inputs); !valid)
    return Stop(valid.error(), ExitCode::kUsage);
  auto targets = ParseOutputTargets(call.outputs, inputs);
  if (!targets) return Stop(targets.error(), ExitCode::kUsage);
  if (const auto valid = CheckResume(call, inputs, *targets); !valid)
    return Stop(valid.error(), ExitCode::kUsage);
  TrackerOptions options = call.tracker;
  for (const OutputTarget& target : *targets) {
    if (target.format == FrameFormat::kMask) options.tracker.segmentation = true;
  }
  const bool has_video = HasKind(inputs, InputKind::kVideo);
  if (call.fps > 0 || has_video) options.tracker.frames = Frames::kVideo;
  const bool needs_videos = has_video || std::ranges::any_of(*targets, [](const OutputTarget& it) {
                              return it.sink == SinkKind::kVideo;
                            });
  const auto videos =
      needs_videos ? media::LoadVideoLibrary() : Result<media::VideoLibrary*>(nullptr);
  if (!videos) return Stop(videos.error(), ExitCode::kInternal);
  const auto door = OpenDoor("track");
  const auto tracker = CreateTracker(options);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  const bool print_json = call.json || targets->empty();
  auto outputs = FrameOutputs::Open(*std::move(targets), {.face = call.face,
                                                          .link_picture = call.svg_picture,
                                                          .print_json = print_json,
                                                          .append_lines = call.video.resume,
                                                          .signals = call.signals,
                                                          .quiet = call.quiet,
                                                          .videos = *videos});
  if (!outputs) return Stop(outputs.error(), OutputExitCode(outputs.error().code));
  HandleInterruption();
  return TrackRun(call, **tracker, *videos, *outputs).Run();
}

constexpr char kFooter[] =
    "Without -o, one JSON document a line goes to standard output. Formats are told by the "
    "ending:\n"
    "  .json .jsonl  landmarks (docs/frame-json.md)     .svg       drawing, one layer a part\n"
    "  .jpg .png     the picture with the drawing on it .mask.png  silhouette of the body (grey)\n"
    "  .csv          a table, a row a person            .bvh       motion of one person, for "
    "Blender\n"
    "  .openpose.json .coco.json  keypoints of those programs (docs/formats.md)\n"
    "  .mp4          of a video: its frames with the drawing on them, and its audio\n"
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
    "  holostat track dance.mp4 -o dance.jsonl         follow a person through a video\n"
    "  holostat track dance.mp4 -o dance.out.mp4       drawn, with its audio\n"
    "  holostat track dance.mp4 --from 1:30 --to 2:00 --every 2 -o part.jsonl\n"
    "  holostat track dance.mp4 -o dance.jsonl --resume  go on after Ctrl-C\n"
    "  holostat track *.mp4 -o 'out/{name}.jsonl'      each to its own file\n"
    "  holostat track /dev/video0 | jq .people         a camera, until Ctrl-C\n"
    "  holostat track frame*.png --fps 30 -o clip.jsonl  pictures that are a video\n"
    "  curl -s URL | holostat track - | jq '.people[0].pose_landmarks[0]'\n\n"
    "Exit codes: 0 ok, also when nobody is found; 1 internal, or output not writable; 2 usage;\n"
    "3 input unreadable; 4 model missing or damaged; 5 over a limit; 130 interrupted. With "
    "several\n"
    "inputs, all are tried and the first failure's code is given. Ctrl-C finishes the files.";

}  // namespace

Command AddTrackCommand(CLI::App& program) {
  const std::map<std::string, render::FaceStyle> faces{
      {"contours", render::FaceStyle::kContours},
      {"tessellation", render::FaceStyle::kTessellation},
      {"none", render::FaceStyle::kNone}};
  auto call = std::make_shared<TrackCall>();
  CLI::App* parser =
      program.add_subcommand("track", "Find body, hands and face of people in pictures and videos");
  parser->footer(kFooter);
  parser
      ->add_option("INPUT", call->inputs,
                   "Pictures (JPEG, PNG, WebP, GIF), videos, cameras (/dev/video0), addresses\n"
                   "(rtsp://...) or numbered pictures (f%04d.png); - is standard input")
      ->required();
  parser->add_option("-o,--out", call->outputs, "Write to FILE; may be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddTrackerOptions(*parser, call->tracker);
  AddVideoOptions(*parser, call->video);
  parser
      ->add_option("--fps", call->fps,
                   "The pictures are the frames of a video, N a second: follow people from "
                   "each to the next; of a camera: ask it for so many")
      ->type_name("N")
      ->check(CLI::Range(kFewestFps, kMostFps));
  parser->add_flag("!--no-smooth", call->tracker.tracker.smooth_landmarks,
                   "Leave the landmarks of a video as they are found");
  parser
      ->add_option_function<std::string>(
          "--face", [call, faces](const std::string& name) { call->face = faces.at(name); },
          "How the face is drawn: contours (default), tessellation or none")
      ->type_name("STYLE")
      ->check(CLI::IsMember(faces));
  parser->add_flag("--svg-picture", call->svg_picture,
                   "Put a link to the picture behind an SVG drawing");
  parser->add_flag("--signals", call->signals,
                   "Put head pose, gaze, joint angles and bone rotations into JSON as well "
                   "(docs/signals.md)");
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
