#include "media/av/video_reader.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/test_dir.h"
#include "media/av/test_clips.h"
#include "media/video_library.h"

namespace holostat::media::av {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class VideoReaderTest : public ClipTest {
 protected:
  // `seconds` of moving colours at 25 frames a second, encoded by `options`.
  void Make(const std::string& name, const std::string& options, const std::string& size = "64:48",
            double seconds = 0.4) {
    Ffmpeg(dir_.path(),
           "-f lavfi -i testsrc2=size=320x240:rate=25:duration=" + std::to_string(seconds) +
               ",scale=" + size + " " + options + " " + name);
  }
  Seen Read(const std::string& name, const VideoReader::Options& options = {}) {
    return ReadAll(dir_ / name, options);
  }
  // The frames as the command decodes them.
  std::string Reference(const std::string& name) {
    Ffmpeg(dir_.path(),
           "-i " + name + " -map 0:v:0 -vsync 0 -pix_fmt rgb24 -f rawvideo reference.rgb");
    return ReadBytes(dir_ / "reference.rgb");
  }

  const TestDir dir_;
};

// The largest difference of any byte; 256 where the lengths differ.
int LargestDifference(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(
        largest, std::abs(static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i])));
  return largest;
}

TEST_F(VideoReaderTest, GivesEveryFrameInItsTime) {
  Make("a.mp4", "-c:v libx264 -bf 2 -pix_fmt yuv420p");
  const Seen seen = Read("a.mp4");
  EXPECT_FALSE(seen.error) << seen.error->message;
  EXPECT_THAT(seen.times_ms, ElementsAre(0, 40, 80, 120, 160, 200, 240, 280, 320, 360));
  EXPECT_THAT(seen.indices, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(seen.counts.frames, 10u);
  EXPECT_EQ(seen.counts.broken + seen.counts.odd_times + seen.counts.size_changes, 0u);
}

TEST_F(VideoReaderTest, SaysWhatItReads) {
  Make("a.mp4", "-f lavfi -i sine=duration=0.4 -c:v libx264 -c:a aac -pix_fmt yuv420p");
  const auto reader = LinkedVideoLibrary().OpenReader(dir_ / "a.mp4", {});
  ASSERT_TRUE(reader.has_value()) << reader.error().message;
  const VideoInfo& info = (*reader)->info();
  EXPECT_EQ(info.width, 64);
  EXPECT_EQ(info.height, 48);
  EXPECT_DOUBLE_EQ(info.fps, 25);
  EXPECT_EQ(info.duration, 400ms);
  EXPECT_EQ(info.codec, "h264");
  EXPECT_THAT(info.format, HasSubstr("mp4"));
  EXPECT_TRUE(info.has_audio);
  EXPECT_FALSE(info.is_live);
}

TEST_F(VideoReaderTest, ColoursAreThoseOfTheFfmpegCommand) {
  struct Case {
    const char* options;
    const char* size;
  };
  for (const Case& one : {
           Case{"-c:v ffv1 -pix_fmt yuv420p", "64:48"},
           Case{"-c:v ffv1 -pix_fmt yuv420p", "63:47"},
           Case{"-c:v ffv1 -pix_fmt yuv420p", "1:48"},
           Case{"-c:v ffv1 -pix_fmt yuv420p", "2:2"},
           Case{"-c:v ffv1 -pix_fmt yuv444p", "1:1"},
           Case{"-c:v ffv1 -pix_fmt yuv420p -colorspace bt709 -color_range tv", "64:48"},
           Case{"-c:v ffv1 -pix_fmt yuv420p -colorspace bt709 -color_range pc", "66:50"},
           Case{"-c:v ffv1 -pix_fmt yuv420p -colorspace bt2020nc", "64:48"},
           Case{"-c:v ffv1 -pix_fmt yuv422p", "65:48"},
           Case{"-c:v ffv1 -pix_fmt yuv444p", "64:48"},
           Case{"-c:v ffv1 -pix_fmt yuv420p10le", "64:48"},
           Case{"-c:v ffv1 -pix_fmt yuv422p12le -colorspace bt709", "61:33"},
           Case{"-c:v ffv1 -pix_fmt gray", "64:48"},
           Case{"-c:v ffv1 -pix_fmt gray10le", "63:48"},
           Case{"-c:v ffv1 -pix_fmt bgr0", "64:48"},
           Case{"-c:v mjpeg -pix_fmt yuvj420p -q:v 2", "64:48"},
           Case{"-c:v mjpeg -pix_fmt yuvj422p -q:v 2", "63:47"},
           Case{"-c:v libx264 -pix_fmt yuv420p", "1280:720"},
           Case{"-c:v png -pix_fmt rgba", "33:31"},
       }) {
    const std::string what = std::string(one.options) + " " + one.size;
    Make("a.mkv", one.options, one.size, 0.12);
    const Seen seen = Read("a.mkv");
    EXPECT_FALSE(seen.error) << what << ": " << seen.error->message;
    EXPECT_EQ(LargestDifference(seen.pixels, Reference("a.mkv")), 0) << what;
  }
}

TEST_F(VideoReaderTest, TurnedVideosAreGivenUpright) {
  Make("flat.mp4", "-c:v libx264 -pix_fmt yuv444p");
  for (const char* degrees : {"90", "180", "270"}) {
    Ffmpeg(dir_.path(),
           std::string("-i flat.mp4 -c copy -metadata:s:v:0 rotate=") + degrees + " a.mp4");
    const Seen seen = Read("a.mp4");
    ASSERT_THAT(seen.sizes, SizeIs(10)) << degrees;
    EXPECT_EQ(seen.sizes[0], std::string(degrees) == "180" ? std::pair(64, 48) : std::pair(48, 64));
    EXPECT_LE(LargestDifference(seen.pixels, Reference("a.mp4")), 1) << degrees;
  }
}

TEST_F(VideoReaderTest, GivesOnlyTheWantedPart) {
  Make("a.mkv", "-c:v libx264 -g 10 -pix_fmt yuv420p", "64:48", 4);
  const Seen part = Read("a.mkv", {.from = 2100ms, .to = 2300ms});
  EXPECT_THAT(part.times_ms, ElementsAre(2120, 2160, 2200, 2240, 2280));
  EXPECT_THAT(part.indices, ElementsAre(53, 54, 55, 56, 57));
  const Seen some = Read("a.mkv", {.first_index = 90, .every = 4});
  EXPECT_THAT(some.indices, ElementsAre(92, 96));
  EXPECT_THAT(some.times_ms, ElementsAre(3680, 3840));
  const Seen none = Read("a.mkv", {.from = 60s});
  EXPECT_THAT(none.times_ms, ElementsAre());
  EXPECT_FALSE(none.error) << none.error->message;
}

TEST_F(VideoReaderTest, TheSoughtFramesAreThoseOfReadingOn) {
  Make("a.mp4", "-c:v libx264 -bf 3 -g 12 -pix_fmt yuv420p", "64:48", 4);
  const std::size_t frame_bytes = 64 * 48 * 3;
  const Seen all = Read("a.mp4");
  const Seen part = Read("a.mp4", {.from = 3s});
  ASSERT_THAT(part.indices, SizeIs(25));
  EXPECT_EQ(part.pixels, all.pixels.substr(75 * frame_bytes));
  EXPECT_EQ(part.indices.front(), 75u);
}

TEST_F(VideoReaderTest, PartsThatHaveNoLengthAreRefused) {
  Make("a.mp4", "-c:v libx264");
  EXPECT_EQ(Read("a.mp4", {.from = 2s, .to = 1s}).error->code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Read("a.mp4", {.every = 0}).error->code, ErrorCode::kInvalidArgument);
}

TEST_F(VideoReaderTest, NumberedPicturesAreAVideo) {
  Ffmpeg(dir_.path(),
         "-f lavfi -i testsrc2=size=33x31:rate=25 -frames:v 4 -start_number 17 p%03d.png");
  const Seen seen = Read("p%03d.png", {.fps = 10});
  EXPECT_FALSE(seen.error) << seen.error->message;
  EXPECT_THAT(seen.times_ms, ElementsAre(0, 100, 200, 300));
  EXPECT_THAT(seen.indices, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(Read("q%03d.png").error->code, ErrorCode::kNotFound);
}

TEST_F(VideoReaderTest, APipeIsReadAsItComes) {
  Make("a.mkv", "-c:v libx264 -pix_fmt yuv420p");
  ASSERT_EQ(std::system(("mkfifo '" + (dir_ / "pipe").string() + "' && (cat '" +
                         (dir_ / "a.mkv").string() + "' > '" + (dir_ / "pipe").string() + "' &)")
                            .c_str()),
            0);
  const Seen seen = Read("pipe", {.from = 200ms});
  EXPECT_FALSE(seen.error) << seen.error->message;
  EXPECT_THAT(seen.times_ms, ElementsAre(200, 240, 280, 320, 360));
}

TEST_F(VideoReaderTest, WhatIsNotThereOrNotOursIsAnError) {
  EXPECT_EQ(Read("none.mp4").error->code, ErrorCode::kNotFound);
  EXPECT_EQ(ReadAll(dir_.path()).error->code, ErrorCode::kUnavailable);
  EXPECT_EQ(ReadAll("gopher://host/a.mp4").error->code, ErrorCode::kUnsupported);
  EXPECT_EQ(ReadAll("file:///etc/passwd").error->code, ErrorCode::kUnsupported);
  EXPECT_EQ(ReadAll("/dev/video99").error->code, ErrorCode::kNotFound);
  const Seen refused = ReadAll("tcp://127.0.0.1:1");
  EXPECT_EQ(refused.error->code, ErrorCode::kUnavailable) << refused.error->message;
  Make("a.mp4", "-c:v libx264");
  EXPECT_EQ(Read("a.mp4", {.format = "nonesuch"}).error->code, ErrorCode::kInvalidArgument);
}

TEST_F(VideoReaderTest, TheGoldenClipsGiveTheFramesThatThePeerSaw) {
  const std::filesystem::path media =
      std::filesystem::path(HOLOSTAT_SOURCE_DIR).parent_path() / "shared/media";
  if (!std::filesystem::exists(media)) GTEST_SKIP() << "no shared media";
  for (const char* name : {"clip-sign.mp4", "clip-sway-synthetic.mp4"}) {
    const Seen seen = ReadAll(media / name);
    EXPECT_EQ(LargestDifference(seen.pixels, Reference("'" + (media / name).string() + "'")), 0)
        << name;
  }
}

}  // namespace
}  // namespace holostat::media::av
