#include "app/video_options.h"

#include <sched.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/interruption.h"
#include "app/media_time.h"
#include "base/result.h"
#include "media/read_ahead.h"

namespace holostat::app {
namespace {

constexpr double kLongestWaitSeconds = 86400;
constexpr std::uint64_t kLargestStep = 1'000'000;

std::string CheckTime(const std::string& text) {
  return ParseMediaTime(text) ? "" : text + " is no time; write 90, 1:30 or 1:02:03.5";
}

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

bool HasSpareCore() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof(cores), &cores) == 0 && CPU_COUNT(&cores) > 1;
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
  parser.add_option("--every", options.every, "Track each Kth frame of a video only")
      ->type_name("K")
      ->check(CLI::Range(std::uint64_t{1}, kLargestStep));
  parser.add_flag("--resume", options.resume, "Go on where the .jsonl file of an earlier run ends");
  AddReaderOptions(parser, options);
}

void AddReaderOptions(CLI::App& parser, VideoCall& options) {
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

media::VideoReader::Options ReaderOptions(const VideoCall& call, std::size_t max_pixels) {
  media::VideoReader::Options options;
  options.open_timeout = Milliseconds(call.open_timeout_s);
  options.read_timeout = Milliseconds(call.read_timeout_s);
  options.from = call.from;
  options.to = call.to;
  options.every = call.every;
  options.max_pixels = max_pixels;
  options.format = call.format;
  options.interrupted = &interrupted;
  return options;
}

Result<std::unique_ptr<media::VideoReader>> OpenAhead(media::VideoLibrary& videos,
                                                      const std::string& source,
                                                      const media::VideoReader::Options& options) {
  auto reader = HOLO_TRY(videos.OpenReader(source, options));
  return HasSpareCore() ? media::ReadAhead(std::move(reader)) : std::move(reader);
}

}  // namespace holostat::app
