#include "app/video_report.h"

#include <gmock/gmock.h>

namespace holostat::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

VideoStats Stats() {
  VideoStats stats;
  stats.frames = 60;
  stats.found = 58;
  stats.detections = 1;
  stats.people = 1;
  stats.first = 60s;
  stats.last = 75s;
  stats.elapsed = 3s;
  return stats;
}

TEST(VideoProgress, SaysHowFarItIsAndHowLongItWillTake) {
  EXPECT_EQ(DescribeProgress(Stats(), 120s, "dance.mp4"),
            "[######..................] 1:15/2:00 20.0 fps, 0:09 left, 1 person dance.mp4");
}

TEST(VideoProgress, SaysNoMoreThanIsKnown) {
  EXPECT_EQ(DescribeProgress(Stats(), std::nullopt, "/dev/video0"),
            "1:15 20.0 fps, 1 person /dev/video0");
  VideoStats none;
  EXPECT_EQ(DescribeProgress(none, 120s, "a.mp4"),
            "[........................] 0:00/2:00 0.0 fps, 0 people a.mp4");
}

TEST(VideoSummary, SaysWhatWasFoundAndWhatWasOdd) {
  media::VideoInfo info;
  info.width = 640;
  info.height = 480;
  info.codec = "h264";
  EXPECT_EQ(DescribeVideo(Stats(), {}, info),
            "60 frames of 640x480 h264 in 3.0 s (20.0 fps), somebody in 58, 1 person seen, "
            "1 detection");
  const std::string odd =
      DescribeVideo(Stats(), {.frames = 60, .broken = 2, .size_changes = 1, .odd_times = 3}, info);
  EXPECT_THAT(odd, HasSubstr("; 2 broken, left out; 3 odd timestamps; 1 change of size"));
  EXPECT_THAT(odd, Not(HasSubstr("failed")));
}

}  // namespace
}  // namespace holostat::app
