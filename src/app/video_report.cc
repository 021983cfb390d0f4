#include "app/video_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/media_time.h"
#include "app/status_line.h"

namespace holostat::app {
namespace {

constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kNameWidth = 28;

std::string Count(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string Bar(double share) {
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kBarWidth);
  return fmt::format("[{:#<{}}{:.<{}}] ", "", filled, "", kBarWidth - filled);
}

std::string TimeLeft(const VideoStats& stats, double share) {
  if (share <= 0.005) return "";  // too early to tell
  const double seconds = stats.elapsed.count() * (1 - share) / share;
  return fmt::format(
      ", {} left",
      FormatMediaTime(std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6))));
}

}  // namespace

void VideoStats::Add(const FrameResult& frame, const HolisticTracker& tracker) {
  if (frames == 0) first = frame.timestamp;
  last = frame.timestamp;
  ++frames;
  if (!frame.people.empty()) ++found;
  for (const Person& person : frame.people) people = std::max(people, person.id);
  for (const StageTime& stage : tracker.last_stage_times()) {
    if (stage.name == "pose_detection" && stage.total.count() > 0) ++detections;
  }
}

std::string DescribeProgress(const VideoStats& stats,
                             const std::optional<std::chrono::microseconds>& end,
                             const std::string& name) {
  std::string text;
  double share = 0;
  if (end && *end > stats.first) {
    share = std::chrono::duration<double>(stats.last - stats.first) / (*end - stats.first);
    text = Bar(share);
  }
  text += FormatMediaTime(stats.last);
  if (end) text += "/" + FormatMediaTime(*end);
  text += fmt::format(" {:.1f} fps{}, {} {}", stats.fps(), TimeLeft(stats, share),
                      Count(static_cast<std::uint64_t>(stats.people), "person", "people"),
                      Shorten(name, kNameWidth));
  return text;
}

std::string DescribeVideo(const VideoStats& stats, const media::VideoCounts& counts,
                          const media::VideoInfo& info) {
  std::string text =
      fmt::format("{} of {}x{} {} in {:.1f} s ({:.1f} fps), somebody in {}, {} seen, {}",
                  Count(stats.frames, "frame", "frames"), info.width, info.height, info.codec,
                  stats.elapsed.count(), stats.fps(), stats.found,
                  Count(static_cast<std::uint64_t>(stats.people), "person", "people"),
                  Count(stats.detections, "detection", "detections"));
  if (counts.broken > 0) text += fmt::format("; {} broken, left out", counts.broken);
  if (counts.odd_times > 0)
    text += "; " + Count(counts.odd_times, "odd timestamp", "odd timestamps");
  if (counts.size_changes > 0)
    text += "; " + Count(counts.size_changes, "change of size", "changes of size");
  if (stats.failed > 0) text += "; " + Count(stats.failed, "frame", "frames") + " failed";
  if (stats.unwritten > 0)
    text += "; " + Count(stats.unwritten, "frame", "frames") + " not written";
  return text;
}

}  // namespace holostat::app
