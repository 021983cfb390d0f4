#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/door.h"
#include "app/first_notice.h"
#include "app/output_file.h"
#include "app/say.h"
#include "app/source_face.h"
#include "app/tracker_options.h"
#include "base/result.h"
#include "media/encode.h"
#include "render/face_swap.h"
#include "render/label.h"

namespace holostat::app {
namespace {

constexpr std::string_view kNotice =
    "holostat swap changes whose face is seen. Use it with faces of people who agreed to that, and "
    "say\nso where you show the result; many countries require it. Every picture and video is "
    "labelled, and its\nmetadata says that the face was altered. docs/responsible-use.md has more. "
    "(This is said once.)";
constexpr std::string_view kComment = "The face in this picture was altered with Holostat.";
constexpr int kJpegQuality = 95;

struct SwapCall {
  std::vector<std::string> faces;
  std::string input, output;
  TrackerOptions tracker;
  PictureLimits limits;
  render::FaceSwapOptions swap;
  render::LabelOptions label;
  std::string label_text = "FACE ALTERED";
  bool no_label = false;
  bool acknowledged = false;
  bool quiet = false;
};

std::string EndingOf(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

Result<std::string> Encode(const std::string& output, const Image& image) {
  if (EndingOf(output) == ".png") return media::EncodePng(image.view(), kComment);
  return media::EncodeJpeg(image.view(), kJpegQuality, kComment);
}

ExitCode SwapPicture(const SwapCall& call, const render::FaceTexture& texture,
                     HolisticTracker& tracker) {
  auto image = ReadPicture(call.input, call.limits);
  if (!image) return Stop(image.error(), InputExitCode(image.error().code));
  const auto frame = tracker.Process(image->view(), std::chrono::microseconds(0));
  if (!frame) return Stop(frame.error(), InputExitCode(frame.error().code));
  render::FaceSwapper swapper(call.swap);
  int swapped = 0;
  for (const Person& person : frame->people) {
    swapped += swapper.Draw(texture, person, std::nullopt, 1, *image) ? 1 : 0;
  }
  if (swapped == 0) {
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

Result<void> Check(const SwapCall& call) {
  const std::string ending = EndingOf(call.output);
  if (ending != ".jpg" && ending != ".jpeg" && ending != ".png") {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("-o {}: write a .jpg, .jpeg or .png", Printable(call.output)));
  }
  if (call.no_label && !call.acknowledged) {
    return Fail(ErrorCode::kInvalidArgument,
                "--no-label needs --i-will-disclose as well: you then say yourself, wherever the "
                "result is shown, that the face was altered");
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
  const auto tracker = CreateTracker(call.tracker);
  if (!tracker) return Stop(tracker.error(), ModelExitCode(tracker.error().code));
  const auto texture = ReadSourceFace(call.faces, call.limits, **tracker);
  if (!texture) return Stop(texture.error(), InputExitCode(texture.error().code));
  return SwapPicture(call, *texture, **tracker);
}

constexpr char kFooter[] =
    "Draws the face of --face over the one in PICTURE: warped by the mesh of its landmarks, "
    "matched "
    "in\ncolour, with the live mouth, eyes and hands left. Several --face are pictures of one "
    "person "
    "from\nseveral sides. Only for faces of people who agreed (docs/responsible-use.md).\n\n"
    "Examples:\n"
    "  holostat swap --face me.jpg party.jpg -o party.swapped.jpg\n"
    "  holostat swap --face front.jpg --face left.jpg --face right.jpg stage.png -o out.png\n"
    "  holostat swap --face me.jpg a.jpg -o b.jpg --keep-mouth --strength 0.8\n"
    "  holostat swap --face me.jpg a.jpg -o b.jpg --label 'digital double' --label-corner "
    "top-right\n\n"
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

}  // namespace

Command AddSwapCommand(CLI::App& program) {
  auto call = std::make_shared<SwapCall>();
  CLI::App* parser =
      program.add_subcommand("swap", "Draw another face over the one in a picture (with consent)");
  parser->footer(kFooter);
  parser->add_option("PICTURE", call->input, "JPEG, PNG, WebP or GIF")->required();
  parser->add_option("--face", call->faces, "A picture of the face to draw; up to eight")
      ->required()
      ->type_name("FILE")
      ->expected(1, int{render::FaceTexture::kMostSources})
      ->allow_extra_args(false);
  parser->add_option("-o,--out", call->output, "Write to FILE: .jpg or .png")
      ->required()
      ->type_name("FILE");
  parser
      ->add_option("--strength", call->swap.strength,
                   "0 shows the live face, 1 (default) covers it")
      ->type_name("0..1")
      ->check(CLI::Range(0.0, 1.0));
  parser
      ->add_option("--softness", call->swap.softness,
                   "Of the outer edge; 1 (default) is 7 % of the face")
      ->type_name("0..4")
      ->check(CLI::Range(0.0, 4.0));
  parser->add_flag("--keep-mouth", call->swap.keep_mouth, "Keep the live lips");
  parser->add_flag("--keep-brows", call->swap.keep_brows, "Keep the live eyebrows");
  parser->add_flag("!--cover-hands", call->swap.hands_in_front,
                   "Draw over hands before the face as well");
  AddLabelOptions(*parser, *call);
  AddTrackerOptions(*parser, call->tracker);
  parser->add_flag("-q,--quiet", call->quiet, "Say nothing but errors");
  return {parser, [call] { return Swap(*call); }};
}

}  // namespace holostat::app
