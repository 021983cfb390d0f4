#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/door.h"
#include "app/first_notice.h"
#include "app/interruption.h"
#include "app/output_file.h"
#include "app/say.h"
#include "app/source_face.h"
#include "app/swap_call.h"
#include "app/tracker_options.h"
#include "app/video_options.h"
#include "app/video_swap.h"
#include "base/result.h"
#include "media/encode.h"
#include "media/video_source.h"
#include "render/face_swap.h"
#include "render/label.h"

namespace holostat::app {
namespace {

constexpr std::string_view kNotice =
    "holostat swap changes whose face is seen. Use it with faces of people who agreed to that, and "
    "say\nso where you show the result; many countries require it. Every picture and video is "
    "labelled, and its\nmetadata says that the face was altered. docs/responsible-use.md has more. "
    "(This is said once.)";
constexpr int kJpegQuality = 95;
constexpr int kPeopleToChooseFrom = 4;  // where --person is given and --people is not

std::string EndingOf(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

Result<std::string> Encode(const std::string& output, const Image& image) {
  if (EndingOf(output) == ".png") return media::EncodePng(image.view(), kSwapComment);
  return media::EncodeJpeg(image.view(), kJpegQuality, kSwapComment);
}

ExitCode SwapPicture(const SwapCall& call, const render::FaceTexture& texture,
                     HolisticTracker& tracker) {
  auto image = ReadPicture(call.input, call.limits);
  if (!image) return Stop(image.error(), InputExitCode(image.error().code));
  const auto frame = tracker.Process(image->view(), std::chrono::microseconds(0));
  if (!frame) return Stop(frame.error(), InputExitCode(frame.error().code));
  render::FaceSwapper swapper(call.session.swap);
  const Person* person = ChoosePerson(frame->people, call.person, 0);
  if (person == nullptr || !swapper.Draw(texture, *person, std::nullopt, 1, *image)) {
    return Stop(
        {ErrorCode::kUnsupported, fmt::format("{}: no face is to be seen", Printable(call.input))},
        ExitCode::kInputUnreadable);
  }
  if (!call.no_label) render::DrawLabel(call.label_text, call.label, *image);
  const auto bytes = Encode(call.output, *image);
  if (!bytes) return Stop(bytes.error(), OutputExitCode(bytes.error().code));
  const auto written = WriteFile(call.output, *bytes);
  if (!written) return Stop(written.error(), OutputExitCode(written.error().code));
  if (!call.quiet) Say("{}: wrote {}\n", Printable(call.input), Printable(call.output));
  return ExitCode::kOk;
}

ExitCode SwapVideo(const SwapCall& call, const render::FaceTexture& texture) {
  TrackerOptions options = call.tracker;
  options.tracker.frames = Frames::kVideo;
  const auto tracker = CreateTracker(options);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  HandleInterruption();
  return VideoSwap(call, **tracker, texture).Run();
}

bool IsVideo(const SwapCall& call) { return media::IsVideoName(call.input); }

Result<void> Check(const SwapCall& call) {
  const std::string ending = EndingOf(call.output);
  const bool is_picture = ending == ".jpg" || ending == ".jpeg" || ending == ".png";
  if (IsVideo(call) ? ending != ".mp4" : !is_picture) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("-o {}: write a .jpg, .jpeg or .png for a picture, a .mp4 for a video",
                            Printable(call.output)));
  }
  if (call.no_label && !call.acknowledged) {
    return Fail(ErrorCode::kInvalidArgument,
                "--no-label needs --i-will-disclose as well: you then say yourself, wherever the "
                "result is shown, that the face was altered");
  }
  if (call.faces.size() > render::FaceTexture::kMostSources) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--face: at most {} pictures", render::FaceTexture::kMostSources));
  }
  if (!std::isfinite(call.session.swap.strength) || !std::isfinite(call.session.swap.softness)) {
    return Fail(ErrorCode::kInvalidArgument, "--strength and --softness are numbers");
  }
  if (call.label_text.empty() || call.label_text.size() > render::kMostLabelLetters) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--label: 1 to {} letters", render::kMostLabelLetters));
  }
  return {};
}

ExitCode Swap(const SwapCall& call) {
  if (const auto fine = Check(call); !fine) return Stop(fine.error(), ExitCode::kUsage);
  SayOnce("swap-notice", kNotice);
  const auto door = OpenDoor("swap");
  auto tracker = CreateTracker(call.tracker);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  const auto texture = ReadSourceFace(call.faces, call.limits, **tracker);
  if (!texture) return Stop(texture.error(), InputExitCode(texture.error().code));
  if (!IsVideo(call)) return SwapPicture(call, *texture, **tracker);
  tracker->reset();  // a video has a tracker of its own
  return SwapVideo(call, *texture);
}

constexpr char kFooter[] =
    "Draws the face of --face over the one in INPUT: warped by the mesh of its landmarks, "
    "matched "
    "in\ncolour, with the live mouth, eyes and hands left. Several --face are pictures of one "
    "person "
    "from\nseveral sides. Only for faces of people who agreed (docs/responsible-use.md).\n\n"
    "Examples:\n"
    "  holostat swap --face me.jpg party.jpg -o party.swapped.jpg\n"
    "  holostat swap --face front.jpg --face left.jpg --face right.jpg stage.png -o out.png\n"
    "  holostat swap --face me.jpg a.jpg -o b.jpg --keep-mouth --strength 0.8\n"
    "  holostat swap --face me.jpg a.jpg -o b.jpg --label 'digital double' --label-corner "
    "top-right\n"
    "  holostat swap --face me.jpg group.jpg -o out.jpg --person leftmost\n"
    "  holostat swap --face me.jpg talk.mp4 -o out.mp4 --on-loss blur\n\n"
    "Exit codes: 0 ok; 1 internal, or output not writable; 2 usage; 3 input unreadable or without "
    "a "
    "face;\n4 model missing or damaged; 5 over a limit.";

void AddLabelOptions(CLI::App& parser, SwapCall& call) {
  const std::map<std::string, render::LabelCorner> corners{
      {"top-left", render::LabelCorner::kTopLeft},
      {"top-right", render::LabelCorner::kTopRight},
      {"bottom-left", render::LabelCorner::kBottomLeft},
      {"bottom-right", render::LabelCorner::kBottomRight}};
  parser.add_option("--label", call.label_text, "What is written on it (default FACE ALTERED)")
      ->type_name("TEXT");
  parser
      .add_option_function<std::string>(
          "--label-corner",
          [&call, corners](const std::string& name) { call.label.corner = corners.at(name); },
          "Where: top-left, top-right, bottom-left (default) or bottom-right")
      ->type_name("CORNER")
      ->check(CLI::IsMember(corners));
  parser.add_flag("--no-label", call.no_label, "Write nothing on it; needs --i-will-disclose");
  parser.add_flag("--i-will-disclose", call.acknowledged,
                  "You say yourself, wherever it is shown, that the face was altered");
}

void AddPersonOption(CLI::App& parser, SwapCall& call) {
  parser
      .add_option_function<std::string>(
          "--person",
          [&call](const std::string& text) {
            call.person = *ParsePersonChoice(text);
            if (call.tracker.tracker.people == 1) call.tracker.tracker.people = kPeopleToChooseFrom;
          },
          "Whose face, of several people: largest, leftmost, rightmost, or an id as `track "
          "--people` gives it")
      ->type_name("WHO")
      ->check([](const std::string& text) {
        return ParsePersonChoice(text)
                   ? ""
                   : text + " is neither largest, leftmost, rightmost nor an id";
      });
}

void AddLossOptions(CLI::App& parser, SwapCall& call) {
  const std::map<std::string, render::OnLoss> choices{
      {"hold", render::OnLoss::kHold},
      {"blur", render::OnLoss::kBlur},
      {"card", render::OnLoss::kCard},
      {"passthrough", render::OnLoss::kPassthrough}};
  parser
      .add_option_function<std::string>(
          "--on-loss",
          [&call, choices](const std::string& name) { call.session.on_loss = choices.at(name); },
          "While a video's face is not found: hold it for 0.4 s, then the live picture (default); "
          "blur or card: hold it, then hide the picture; passthrough: the live picture at once")
      ->type_name("CHOICE")
      ->check(CLI::IsMember(choices));
  parser.add_flag("!--no-steady", call.session.steady, "Leave the trembling of a video's face");
}

}  // namespace

Command AddSwapCommand(CLI::App& program) {
  auto call = std::make_shared<SwapCall>();
  CLI::App* parser = program.add_subcommand(
      "swap", "Draw another face over the one in a picture or video (with consent)");
  parser->footer(kFooter);
  parser->add_option("INPUT", call->input, "A picture, a video, a camera or an address")
      ->required();
  parser->add_option("--face", call->faces, "A picture of the face to draw; up to eight")
      ->required()
      ->type_name("FILE")
      ->allow_extra_args(false);
  parser->add_option("-o,--out", call->output, "Write to FILE: .jpg or .png, of a video .mp4")
      ->required()
      ->type_name("FILE");
  parser
      ->add_option("--strength", call->session.swap.strength,
                   "0 shows the live face, 1 (default) covers it")
      ->type_name("0..1")
      ->check(CLI::Range(0.0, 1.0));
  parser
      ->add_option("--softness", call->session.swap.softness,
                   "Of the outer edge; 1 (default) is 7 % of the face")
      ->type_name("0..4")
      ->check(CLI::Range(0.0, 4.0));
  parser->add_flag("--keep-mouth", call->session.swap.keep_mouth, "Keep the live lips");
  parser->add_flag("--keep-brows", call->session.swap.keep_brows, "Keep the live eyebrows");
  parser->add_flag("!--cover-hands", call->session.swap.hands_in_front,
                   "Draw over hands before the face as well");
  AddPersonOption(*parser, *call);
  AddLossOptions(*parser, *call);
  AddLabelOptions(*parser, *call);
  AddReaderOptions(*parser, call->video);
  AddTrackerOptions(*parser, call->tracker);
  parser->add_flag("-q,--quiet", call->quiet, "Say nothing but errors");
  return {parser, [call] { return Swap(*call); }};
}

}  // namespace holostat::app
