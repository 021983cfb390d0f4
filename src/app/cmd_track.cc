#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/output_target.h"
#include "app/progress.h"
#include "app/tracker_options.h"
#include "base/result.h"
#include "holostat/picture.h"
#include "render/svg.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using pipeline::FrameFormat;

struct TrackCall {
  std::vector<std::string> pictures;
  std::vector<std::string> outputs;
  TrackerOptions tracker;
  PictureLimits limits;
  render::FaceStyle face = render::FaceStyle::kContours;
  bool svg_picture = false;
  bool json = false;
  bool quiet = false;
};

// Set by Ctrl-C: the picture at hand is finished, then no further one is begun.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

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
  std::array<std::uint8_t, 65536> chunk;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0) return Fail(ErrorCode::kUnavailable, "cannot read standard input");
    if (count == 0) return DecodePicture(bytes, limits);
    if (bytes.size() + static_cast<std::size_t>(count) > limits.max_bytes) {
      return Fail(ErrorCode::kLimitExceeded, fmt::format("more than {} bytes", limits.max_bytes));
    }
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + count);
  }
}

// A link from the folder of `svg` to `picture`.
std::string LinkTo(const fs::path& picture, const fs::path& svg) {
  std::error_code error;
  const fs::path link =
      fs::proximate(fs::absolute(picture), fs::absolute(svg).parent_path(), error);
  return render::HrefFromPath(error ? picture.string() : link.string());
}

// One run of `holostat track`: the pictures in order, each to every output.
class TrackRun {
 public:
  TrackRun(const TrackCall& call, std::vector<OutputTarget> targets, HolisticTracker& tracker)
      : call_(call),
        targets_(std::move(targets)),
        tracker_(tracker),
        progress_(call.pictures.size(), !call.quiet && call.pictures.size() > 1) {}

  ExitCode Run() {
    if (const auto opened = OpenLineFiles(); !opened)
      return Report("", opened.error(), ExitCode::kInternal);
    for (std::size_t i = 0; i < call_.pictures.size() && !interrupted; ++i) {
      progress_.Update(i, call_.pictures[i]);
      const ExitCode code = TrackOne(i);
      if (result_ == ExitCode::kOk) result_ = code;
      if (code == ExitCode::kInternal) break;  // a full disk will not get emptier
    }
    progress_.Clear();
    return interrupted ? ExitCode::kInterrupted : result_;
  }

 private:
  Result<void> OpenLineFiles() {
    for (const OutputTarget& target : targets_) {
      if (!target.one_line_a_picture) continue;
      auto& file = line_files_[target.pattern];
      file.open(target.pattern, std::ios::binary | std::ios::trunc);
      if (!file)
        return Fail(ErrorCode::kUnavailable, fmt::format("cannot write {}", target.pattern));
    }
    return {};
  }

  ExitCode TrackOne(std::size_t index) {
    const std::string& name = call_.pictures[index];
    const auto start = std::chrono::steady_clock::now();
    const auto image = name == "-" ? ReadStdin(call_.limits) : ReadPicture(name, call_.limits);
    if (!image) return Report(name, image.error(), InputExitCode(image.error().code));
    const auto frame = tracker_.Process(image->view(), std::chrono::microseconds(0));
    if (!frame) return Report(name, frame.error(), InputExitCode(frame.error().code));
    if (const auto written = WriteAll(*frame, image->view(), index); !written) {
      return Report(name, written.error(), ExitCode::kInternal);
    }
    if (!call_.quiet && call_.pictures.size() == 1) {
      const std::chrono::duration<double, std::milli> elapsed =
          std::chrono::steady_clock::now() - start;
      fmt::print(stderr, "{} {}x{}: {} ({:.0f} ms)\n", name, frame->width, frame->height,
                 Describe(*frame), elapsed.count());
      for (const OutputTarget& target : targets_)
        fmt::print(stderr, "  wrote {}\n", target.PathFor(name, index).string());
    }
    return ExitCode::kOk;
  }

  Result<void> WriteAll(const FrameResult& frame, const ImageView& picture, std::size_t index) {
    if (targets_.empty() || call_.json) HOLO_TRY(PrintLine(frame, picture, index));
    for (const OutputTarget& target : targets_) HOLO_TRY(WriteOne(frame, picture, index, target));
    return {};
  }

  Result<void> PrintLine(const FrameResult& frame, const ImageView& picture, std::size_t index) {
    std::string line =
        HOLO_TRY(EncodeFrame(frame, picture, FrameFormat::kJson, {.frame_index = index}));
    line += '\n';
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size() ||
        std::fflush(stdout) != 0) {
      return Fail(ErrorCode::kUnavailable, "cannot write to standard output");
    }
    return {};
  }

  Result<void> WriteOne(const FrameResult& frame, const ImageView& picture, std::size_t index,
                        const OutputTarget& target) {
    const fs::path path = target.PathFor(call_.pictures[index], index);
    const std::string href = target.format == FrameFormat::kSvg && call_.svg_picture
                                 ? LinkTo(call_.pictures[index], path)
                                 : "";
    const std::string bytes = HOLO_TRY(EncodeFrame(frame, picture, target.format,
                                                   {.frame_index = index,
                                                    .face = call_.face,
                                                    .picture_href = href,
                                                    .title = call_.pictures[index]}));
    if (!target.one_line_a_picture) return WriteFile(path, bytes);
    std::ofstream& file = line_files_[target.pattern];
    file << bytes << std::endl;  // flushed, so that a reader can follow
    if (!file) return Fail(ErrorCode::kUnavailable, fmt::format("cannot write {}", target.pattern));
    return {};
  }

  ExitCode Report(const std::string& name, const Error& error, ExitCode code) {
    progress_.Clear();
    fmt::print(stderr, "holostat: {}{}{}\n", name, name.empty() ? "" : ": ", error.message);
    return code;
  }

  const TrackCall& call_;
  std::vector<OutputTarget> targets_;
  HolisticTracker& tracker_;
  Progress progress_;
  std::map<std::string, std::ofstream> line_files_;
  ExitCode result_ = ExitCode::kOk;
};

ExitCode Stop(const Error& error, ExitCode code) {
  fmt::print(stderr, "holostat: {}\n", error.message);
  return code;
}

ExitCode Track(const TrackCall& call) {
  auto targets = ParseOutputTargets(call.outputs, call.pictures);
  if (!targets) return Stop(targets.error(), ExitCode::kUsage);
  TrackerOptions options = call.tracker;
  for (const OutputTarget& target : *targets) {
    if (target.format == FrameFormat::kMask) options.tracker.segmentation = true;
  }
  const auto tracker = CreateTracker(options);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  std::signal(SIGINT, [](int) { interrupted = true; });
  return TrackRun(call, *std::move(targets), **tracker).Run();
}

constexpr char kFooter[] =
    "Without -o, one JSON document a line goes to standard output. Formats are told by the "
    "ending:\n"
    "  .json .jsonl  landmarks (docs/frame-json.md)     .svg       drawing, one layer a part\n"
    "  .jpg .png     the picture with the drawing on it .mask.png  outline of the body (grey)\n"
    "In -o, {name} is the picture's name without its ending, {index} its place in the call from "
    "0.\n\n"
    "Examples:\n"
    "  holostat track me.jpg                           landmarks to the terminal\n"
    "  holostat track me.jpg -o me.svg -o me.out.jpg   drawn, twice\n"
    "  holostat track *.jpg -o all.jsonl               a line a picture\n"
    "  holostat track *.jpg -o 'out/{name}.json' --complexity heavy\n"
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
  parser
      ->add_option_function<std::string>(
          "--face", [call, faces](const std::string& name) { call->face = faces.at(name); },
          "How the face is drawn: contours (default), tessellation or none")
      ->type_name("STYLE")
      ->check(CLI::IsMember(faces));
  parser->add_flag("--svg-picture", call->svg_picture,
                   "Put a link to the picture behind an SVG drawing");
  parser->add_option("--max-bytes", call->limits.max_bytes, "Refuse larger files (default 32 MiB)")
      ->type_name("N");
  parser
      ->add_option("--max-pixels", call->limits.max_pixels,
                   "Refuse larger pictures (default 64000000)")
      ->type_name("N");
  parser->add_flag("--json", call->json, "JSON lines to standard output even when -o is given");
  parser->add_flag("-q,--quiet", call->quiet, "Say nothing but errors");
  return {parser, [call] { return Track(*call); }};
}

}  // namespace holostat::app
