#include "app/video_options.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/media_time.h"

namespace holostat::app {
namespace {

constexpr double kLongestWaitSeconds = 86400;
constexpr std::uint64_t kLargestStep = 1'000'000;

std::string CheckTime(const std::string& text) {
  return ParseMediaTime(text) ? "" : text + " is no time; write 90, 1:30 or 1:02:03.5";
}

CLI::Option* AddWait(CLI::App& parser, const std::string& name, double& seconds,
                     const std::string& help) {
  return parser.add_option(name, seconds, help)
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, kLongestWaitSeconds));
}

}  // namespace

void AddVideoOptions(CLI::App& parser, VideoCall& options) {
  parser.add_flag("--video", options.all_are_videos,
                  "All inputs are videos, whatever their names end in; - is one as well");
  parser
      .add_option_function<std::string>(
          "--from", [&options](const std::string& text) { options.from = *ParseMediaTime(text); },
          "Begin a video there: 90, 1:30 or 1:02:03.5")
      ->type_name("TIME")
      ->check(CheckTime);
  parser
      .add_option_function<std::string>(
          "--to", [&options](const std::string& text) { options.to = *ParseMediaTime(text); },
          "End a video there")
      ->type_name("TIME")
      ->check(CheckTime);
  parser.add_option("--every", options.every, "Track each Kth frame of a video only")
      ->type_name("K")
      ->check(CLI::Range(std::uint64_t{1}, kLargestStep));
  parser.add_flag("--resume", options.resume, "Go on where the .jsonl file of an earlier run ends");
  parser
      .add_option(
          "--input-format", options.format,
          "Format of the videos by FFmpeg's name, where it cannot be told (see: ffmpeg -formats)")
      ->type_name("NAME");
  AddWait(parser, "--open-timeout", options.open_timeout_s,
          "Give up a video that does not open in so many seconds (default 10)");
  AddWait(parser, "--read-timeout", options.read_timeout_s,
          "Give up a video whose next frame does not come in so many seconds (default 10)");
}

}  // namespace holostat::app
