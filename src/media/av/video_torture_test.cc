// What comes from outside and is not as it should be: a result or a clear error, never a hang.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "base/test_dir.h"
#include "base/unique_fd.h"
#include "media/av/test_clips.h"
#include "media/video_library.h"

namespace holostat::media::av {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class VideoTortureTest : public ClipTest {
 protected:
  void Make(const std::string& arguments) { Ffmpeg(dir_.path(), arguments); }
  Seen Read(const std::string& name, const VideoReader::Options& options = {}) {
    return ReadAll(dir_ / name, options);
  }
  // A named pipe with a writer that says `bytes` and then nothing.
  UniqueFd SilentPipe(const std::string& name, const std::string& bytes) {
    EXPECT_EQ(::mkfifo((dir_ / name).c_str(), 0600), 0);
    UniqueFd fd(::open((dir_ / name).c_str(), O_RDWR | O_NONBLOCK));
    EXPECT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    return fd;
  }

  const TestDir dir_;
};

TEST_F(VideoTortureTest, BytesThatAreNoVideo) {
  dir_.Write("empty.mp4", "");
  dir_.Write("text.mp4", "this is no video, whatever its name says\n");
  for (const char* name : {"empty.mp4", "text.mp4"}) {
    const Seen seen = Read(name);
    ASSERT_TRUE(seen.error) << name;
    EXPECT_EQ(seen.error->code, ErrorCode::kCorruptData) << name << ": " << seen.error->message;
    EXPECT_THAT(seen.error->message, HasSubstr(name));
  }
}

TEST_F(VideoTortureTest, NoFrames) {
  Make("-f lavfi -i testsrc2=size=64x48 -t 0 -c:v libx264 none.mp4");
  Make("-f lavfi -i testsrc2=size=64x48 -t 0 -c:v mpeg4 none.avi");
  for (const char* name : {"none.mp4", "none.avi"}) {
    const Seen seen = Read(name);
    ASSERT_TRUE(seen.error) << name;
    EXPECT_THAT(seen.error->code,
                ::testing::AnyOf(ErrorCode::kCorruptData, ErrorCode::kUnsupported))
        << name << ": " << seen.error->message;
    EXPECT_THAT(seen.times_ms, SizeIs(0));
  }
}

TEST_F(VideoTortureTest, AudioOnly) {
  Make("-f lavfi -i sine=duration=0.2 -c:a aac a.m4a");
  const Seen seen = Read("a.m4a");
  ASSERT_TRUE(seen.error);
  EXPECT_EQ(seen.error->code, ErrorCode::kUnsupported);
  EXPECT_THAT(seen.error->message, HasSubstr("only audio"));
}

TEST_F(VideoTortureTest, ACoverIsNoVideo) {
  Make(
      "-f lavfi -i sine=duration=0.2 -f lavfi -i testsrc2=size=64x48:duration=0.04 -map 0 -map 1 "
      "-c:v mjpeg "
      "-disposition:v attached_pic -c:a libmp3lame a.mp3");
  const Seen seen = Read("a.mp3");
  ASSERT_TRUE(seen.error);
  EXPECT_EQ(seen.error->code, ErrorCode::kUnsupported);
}

TEST_F(VideoTortureTest, TruncatedFiles) {
  Make("-f lavfi -i testsrc2=size=64x48:duration=2 -c:v libx264 -g 5 -movflags faststart head.mp4");
  Make("-i head.mp4 -c copy -movflags 0 tail.mp4");
  for (const char* name : {"head.mp4", "tail.mp4"}) {
    const std::string bytes = ReadBytes(dir_ / name);
    dir_.Write(name, bytes.substr(0, bytes.size() * 6 / 10));
  }
  const Seen head = Read("head.mp4");
  EXPECT_FALSE(head.error) << head.error->message;
  EXPECT_GT(head.counts.frames, 10u);
  EXPECT_LT(head.counts.frames, 50u);
  const Seen tail = Read("tail.mp4");
  ASSERT_TRUE(tail.error);
  EXPECT_EQ(tail.error->code, ErrorCode::kCorruptData);
  EXPECT_THAT(tail.error->message, HasSubstr("moov atom not found"));
}

TEST_F(VideoTortureTest, VariableFrameRate) {
  Make(
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.4 -vf settb=1/1000,setpts=N*N*10 "
      "-vsync passthrough -enc_time_base 1:1000 -c:v libx264 -bf 0 -video_track_timescale 1000 "
      "a.mp4");
  EXPECT_THAT(Read("a.mp4").times_ms, ElementsAre(0, 10, 40, 90, 160, 250, 360, 490, 640, 810));
}

TEST_F(VideoTortureTest, NegativeTimestamps) {
  Make(
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.2 -c:v libx264 -bf 0 -avoid_negative_ts "
      "disabled "
      "-output_ts_offset -10 a.mkv");
  EXPECT_THAT(Read("a.mkv").times_ms, ElementsAre(0, 40, 80, 120, 160));
}

TEST_F(VideoTortureTest, BackwardTimestamps) {
  Make("-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.2 -c:v mpeg2video a.ts");
  const std::string once = ReadBytes(dir_ / "a.ts");
  dir_.Write("twice.ts", once + once);
  const Seen seen = Read("twice.ts");
  EXPECT_FALSE(seen.error) << seen.error->message;
  EXPECT_THAT(seen.times_ms, SizeIs(Ge(9u)));
  EXPECT_GE(seen.counts.odd_times, 1u);
}

TEST_F(VideoTortureTest, NoTimestamps) {
  Make("-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.2 -c:v libx264 -bf 0 a.h264");
  const Seen seen = Read("a.h264");
  EXPECT_FALSE(seen.error) << seen.error->message;
  EXPECT_THAT(seen.times_ms, ElementsAre(0, 40, 80, 120, 160));
}

TEST_F(VideoTortureTest, TheSizeChanges) {
  std::string all;
  for (const char* size : {"854:480", "1708:960", "641:359"}) {
    Make(std::string("-f lavfi -i testsrc2=rate=25:duration=0.2,scale=") + size +
         " -c:v mpeg2video -b:v 4M a.ts");
    all += ReadBytes(dir_ / "a.ts");
  }
  dir_.Write("all.ts", all);
  const Seen seen = Read("all.ts");
  EXPECT_FALSE(seen.error) << seen.error->message;
  EXPECT_THAT(seen.sizes, SizeIs(Ge(12u)));
  EXPECT_EQ(seen.sizes.front(), std::pair(854, 480));
  EXPECT_EQ(seen.sizes.back(), std::pair(641, 359));
  EXPECT_EQ(seen.counts.size_changes, 2u);
  const Seen limited = Read("all.ts", {.max_pixels = 854 * 480});
  ASSERT_TRUE(limited.error);
  EXPECT_EQ(limited.error->code, ErrorCode::kLimitExceeded) << limited.error->message;
}

TEST_F(VideoTortureTest, TooManyPixels) {
  Make("-f lavfi -i testsrc2=size=640x480:duration=0.04 -c:v libx264 a.mp4");
  Make("-f lavfi -i testsrc2=size=640x480:duration=0.04 -c:v mjpeg -q:v 1 a.mjpeg");
  Make("-f lavfi -i testsrc2=size=640x480 -frames:v 1 p001.png");
  // 2000 and 2600 pixels square: more than we, and more than FFmpeg's own limit, allow. Their size
  // is not known before they are decoded, by us or while FFmpeg looks for the format.
  const std::string small = ReadBytes(dir_ / "a.mjpeg");
  for (const auto& [name, size] :
       {std::pair("large.mjpeg", "\x07\xd0"), {"huge.mjpeg", "\x0a\x28"}}) {
    std::string bytes = small;
    bytes.replace(small.find("\xff\xc0") + 5, 4, std::string(size) + size);
    dir_.Write(name, bytes);
  }
  for (const char* name : {"a.mp4", "a.mjpeg", "p%03d.png", "large.mjpeg", "huge.mjpeg"}) {
    const Seen seen = Read(name, {.max_pixels = 640 * 480 - 1});
    ASSERT_TRUE(seen.error) << name;
    EXPECT_EQ(seen.error->code, ErrorCode::kLimitExceeded) << name << ": " << seen.error->message;
  }
  EXPECT_FALSE(Read("a.mp4", {.max_pixels = 640 * 480}).error);
}

TEST_F(VideoTortureTest, OnePixelWide) {
  Make("-f lavfi -i testsrc2=rate=25:duration=0.12,scale=1:64 -c:v ffv1 a.mkv");
  EXPECT_THAT(Read("a.mkv").sizes,
              ElementsAre(std::pair(1, 64), std::pair(1, 64), std::pair(1, 64)));
}

TEST_F(VideoTortureTest, GarbageInTheMiddle) {
  Make("-f lavfi -i testsrc2=size=128x96:rate=10:duration=24 -c:v libx264 -g 5 a.ts");
  Make("-i a.ts -c copy a.mp4");
  Make("-i a.ts -c copy a.mkv");
  std::mt19937 random(7);
  for (const char* name : {"a.ts", "a.mp4", "a.mkv"}) {
    std::string bytes = ReadBytes(dir_ / name);
    for (std::size_t i = bytes.size() / 3; i < bytes.size() * 2 / 3; ++i)
      bytes[i] = static_cast<char>(random());
    dir_.Write(name, bytes);
    const Seen seen = Read(name);
    EXPECT_FALSE(seen.error) << name << ": " << seen.error->message;
    EXPECT_THAT(seen.times_ms, SizeIs(Ge(100u))) << name;
    EXPECT_GT(seen.times_ms.back(), 22'000) << name << ": what follows is read";
    // A transport stream's demuxer looks for the next beginning, and does not say what it left out.
    if (std::string_view(name) != "a.ts") {
      EXPECT_GT(seen.counts.broken, 0u) << name;
    }
  }
}

TEST_F(VideoTortureTest, EveryByteMayBeAnother) {
  Make("-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.4 -c:v libx264 a.mp4");
  const std::string whole = ReadBytes(dir_ / "a.mp4");
  std::mt19937 random(11);
  for (int run = 0; run < 60; ++run) {
    std::string bytes = whole;
    for (int i = 0; i < 20; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    dir_.Write("b.mp4", bytes);
    const Seen seen = Read("b.mp4", {.read_timeout = 5s, .max_pixels = 1'000'000});
    EXPECT_TRUE(!seen.error || seen.error->code != ErrorCode::kInternal) << seen.error->message;
  }
}

TEST_F(VideoTortureTest, ASilentPipeEndsAtTheDeadline) {
  const UniqueFd writer = SilentPipe("pipe", "");
  const auto start = std::chrono::steady_clock::now();
  const Seen seen = Read("pipe", {.open_timeout = 300ms});
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  ASSERT_TRUE(seen.error);
  EXPECT_EQ(seen.error->code, ErrorCode::kTimeout) << seen.error->message;
}

TEST_F(VideoTortureTest, APipeThatFallsSilentGivesWhatItSaid) {
  Make("-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.4 -c:v mjpeg a.mkv");
  const UniqueFd writer = SilentPipe("pipe", ReadBytes(dir_ / "a.mkv"));
  const Seen seen =
      Read("pipe", {.open_timeout = 500ms, .read_timeout = 300ms, .format = "matroska"});
  ASSERT_TRUE(seen.error);
  EXPECT_EQ(seen.error->code, ErrorCode::kTimeout) << seen.error->message;
}

TEST_F(VideoTortureTest, WaitingIsInterrupted) {
  const UniqueFd writer = SilentPipe("pipe", "");
  std::atomic<bool> interrupted{false};
  std::thread other([&] {
    std::this_thread::sleep_for(100ms);
    interrupted = true;
  });
  const auto start = std::chrono::steady_clock::now();
  const Seen seen = Read("pipe", {.open_timeout = 60s, .interrupted = &interrupted});
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  ASSERT_TRUE(seen.error);
  EXPECT_EQ(seen.error->code, ErrorCode::kUnavailable) << seen.error->message;
}

TEST_F(VideoTortureTest, AFileOpensNothingButItself) {
  Make("-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.2 -c:v libx264 secret.ts");
  const std::string secret = dir_ / "secret.ts";
  dir_.Write("list.ffconcat", "ffconcat version 1.0\nfile secret.ts\n");
  dir_.Write("list.m3u8",
             "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n" + secret + "\n#EXT-X-ENDLIST\n");
  dir_.Write("list.mpd",
             "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" "
             "mediaPresentationDuration=\"PT1S\"><Period><AdaptationSet mimeType=\"video/mp4\">"
             "<Representation id=\"1\" bandwidth=\"1\"><BaseURL>file://" +
                 secret + "</BaseURL></Representation></AdaptationSet></Period></MPD>");
  dir_.Write("list.sdp",
             "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\n"
             "m=video 45454 RTP/AVP 96\na=rtpmap:96 H264/90000\n");
  for (const char* name : {"list.ffconcat", "list.m3u8", "list.mpd", "list.sdp"}) {
    const auto start = std::chrono::steady_clock::now();
    const Seen seen = Read(name, {.open_timeout = 5s});
    ASSERT_TRUE(seen.error) << name;
    EXPECT_NE(seen.error->code, ErrorCode::kTimeout) << name << ": " << seen.error->message;
    EXPECT_THAT(seen.times_ms, SizeIs(0)) << name;
    EXPECT_LT(std::chrono::steady_clock::now() - start, 4s) << name;
  }
  EXPECT_FALSE(Read("secret.ts").error) << "which could be read";
}

TEST_F(VideoTortureTest, NamesAreNoProtocols) {
  Make("-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.2 -c:v libx264 a.ts");
  for (const std::string prefix :
       {"file:", "concat:", "subfile,,start,0,end,0,,:", "crypto:", "pipe:"})
    EXPECT_EQ(ReadAll(prefix + (dir_ / "a.ts").string()).error->code, ErrorCode::kNotFound)
        << prefix;
}

TEST_F(VideoTortureTest, NothingIsSaidOnStandardError) {
  dir_.Write("text.mp4", "no video");
  testing::internal::CaptureStderr();
  Read("text.mp4");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace holostat::media::av
