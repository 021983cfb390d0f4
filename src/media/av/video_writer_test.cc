#include "media/av/video_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/heap_calls.h"
#include "base/test_dir.h"
#include "holostat/image.h"
#include "media/av/handles.h"
#include "media/av/log.h"
#include "media/av/test_media.h"
#include "media/av/video_reader.h"

namespace holostat::media::av {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr microseconds kMillisecond = milliseconds(1);

// A picture of one colour with lighter squares along its top that move with `step`.
Image Picture(int width, int height, int step = 0) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    std::uint8_t* pixel = image.row(y);
    for (int x = 0; x < width; ++x, pixel += 3) {
      const bool is_square = (x + step * 4) % 64 < 16 && y < 16;
      pixel[0] = is_square ? 240 : 200;
      pixel[1] = is_square ? 240 : 60;
      pixel[2] = is_square ? 240 : 40;
    }
  }
  return image;
}

std::unique_ptr<VideoWriter> Open(const fs::path& path, const VideoWriter::Options& options = {}) {
  CaptureLog();
  auto writer = OpenVideoWriter(path, options);
  HOLO_CHECK(writer.has_value());
  return *std::move(writer);
}

// A frame at each of `times`, all of one size.
Result<void> WriteAll(VideoWriter& writer, const std::vector<microseconds>& times, int width = 320,
                      int height = 240) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Image picture = Picture(width, height, static_cast<int>(i));
    HOLO_TRY(writer.Write(picture.view(), times[i]));
  }
  return writer.Finish();
}

std::vector<microseconds> Steady(int count, microseconds step, microseconds start = {}) {
  std::vector<microseconds> times;
  for (int i = 0; i < count; ++i) times.push_back(start + i * step);
  return times;
}

std::vector<microseconds> TimesOf(const std::vector<TestPacket>& packets) {
  std::vector<microseconds> times;
  for (const TestPacket& packet : packets) times.push_back(packet.time);
  return times;
}

void ExpectNear(const std::vector<microseconds>& actual, const std::vector<microseconds>& wanted,
                microseconds tolerance = kMillisecond) {
  ASSERT_EQ(actual.size(), wanted.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i].count(), wanted[i].count(), tolerance.count()) << "frame " << i;
}

bool IsEmpty(const TestDir& dir) { return fs::is_empty(dir.path()); }

TEST(VideoWriter, WritesEveryFrameAtItsTime) {
  const TestDir dir;
  const auto times = Steady(200, microseconds(33'333));
  ASSERT_TRUE(WriteAll(*Open(dir / "a.mp4", {.fps = 30, .comment = "by holostat"}), times));
  const TestFile file = ReadTestFile(dir / "a.mp4");
  EXPECT_EQ(file.video, "h264");
  EXPECT_EQ(file.audio, "");
  EXPECT_EQ(file.width, 320);
  EXPECT_EQ(file.height, 240);
  EXPECT_EQ(file.metadata.at("comment"), "by holostat");
  ExpectNear(TimesOf(file.video_packets), times);
  EXPECT_NEAR(file.duration.count(), 200 * 33'333, kMillisecond.count());
}

TEST(VideoWriter, KeepsAVariableFrameRate) {
  const TestDir dir;
  std::vector<microseconds> times;
  microseconds now{0};
  for (int i = 0; i < 120; ++i) {
    times.push_back(now);
    now += i % 7 == 0 ? milliseconds(250) : microseconds(16'683 + 13 * i);
  }
  ASSERT_TRUE(WriteAll(*Open(dir / "a.mp4", {.fps = 60}), times));
  ExpectNear(TimesOf(ReadTestFile(dir / "a.mp4").video_packets), times, microseconds(20));
}

TEST(VideoWriter, BeginsWithItsFirstFrame) {
  const TestDir dir;
  const milliseconds step(40);
  ASSERT_TRUE(WriteAll(*Open(dir / "late.mp4"), Steady(10, step, std::chrono::hours(2))));
  ASSERT_TRUE(WriteAll(*Open(dir / "early.mp4"), Steady(10, step, milliseconds(-120))));
  ExpectNear(TimesOf(ReadTestFile(dir / "late.mp4").video_packets), Steady(10, step));
  ExpectNear(TimesOf(ReadTestFile(dir / "early.mp4").video_packets), Steady(10, step));
}

TEST(VideoWriter, MovesATimeThatDoesNotGrow) {
  const TestDir dir;
  const std::vector<microseconds> times{milliseconds(0), milliseconds(40), milliseconds(40),
                                        milliseconds(20), milliseconds(80)};
  ASSERT_TRUE(WriteAll(*Open(dir / "a.mp4"), times));
  const auto written = TimesOf(ReadTestFile(dir / "a.mp4").video_packets);
  ExpectNear(written, {milliseconds(0), milliseconds(40), milliseconds(40), milliseconds(40),
                       milliseconds(80)});
  EXPECT_TRUE(std::ranges::is_sorted(written, std::less_equal()));
}

TEST(VideoWriter, LengthensOddSidesByOne) {
  const TestDir dir;
  struct Size {
    int width, height, coded_width, coded_height;
  };
  for (const Size& size :
       {Size{321, 241, 322, 242}, Size{1, 1, 2, 2}, Size{1, 480, 2, 480}, Size{64, 31, 64, 32}}) {
    ASSERT_TRUE(
        WriteAll(*Open(dir / "a.mp4"), Steady(5, milliseconds(40)), size.width, size.height))
        << size.width << "x" << size.height;
    const TestFile file = ReadTestFile(dir / "a.mp4");
    EXPECT_EQ(file.width, size.coded_width);
    EXPECT_EQ(file.height, size.coded_height);
    EXPECT_EQ(file.video_packets.size(), 5u);
  }
}

// Mean of each colour in [left, right) x [top, bottom) of the first frame that `picture` gives.
struct Colour {
  double r = 0, g = 0, b = 0;
};
Colour MeanOf(const ImageView& image, int left, int top, int right, int bottom) {
  Colour sum;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      sum.r += image.row(y)[3 * x];
      sum.g += image.row(y)[3 * x + 1];
      sum.b += image.row(y)[3 * x + 2];
    }
  }
  const double count = (right - left) * (bottom - top);
  return {sum.r / count, sum.g / count, sum.b / count};
}

void ExpectColour(const Colour& actual, const Colour& wanted) {
  EXPECT_NEAR(actual.r, wanted.r, 3);
  EXPECT_NEAR(actual.g, wanted.g, 3);
  EXPECT_NEAR(actual.b, wanted.b, 3);
}

TEST(VideoWriter, KeepsColoursAndSaysWhatTheyAre) {
  const TestDir dir;
  struct Kind {
    int width, height, matrix;
  };
  for (const Kind& kind : {Kind{640, 480, AVCOL_SPC_SMPTE170M}, Kind{1280, 720, AVCOL_SPC_BT709},
                           Kind{321, 241, AVCOL_SPC_SMPTE170M}}) {
    const fs::path path = dir / "a.mp4";
    ASSERT_TRUE(WriteAll(*Open(path), Steady(3, milliseconds(40)), kind.width, kind.height));
    const TestFile file = ReadTestFile(path);
    EXPECT_EQ(file.matrix, kind.matrix);
    EXPECT_EQ(file.range, AVCOL_RANGE_MPEG);
    EXPECT_EQ(file.primaries, AVCOL_PRI_BT709);
    const auto reader = OpenVideoReader(path.string(), {});
    ASSERT_TRUE(reader);
    const auto frame = (*reader)->Next();
    ASSERT_TRUE(frame && *frame);
    const ImageView& image = (*frame)->image;
    ExpectColour(MeanOf(image, 20, 20, 60, 60), {200, 60, 40});
    // To the very corner: what was added repeats what was there.
    ExpectColour(MeanOf(image, image.width - 2, image.height - 2, image.width, image.height),
                 {200, 60, 40});
  }
}

TEST(VideoWriter, FitsAnotherSizeOnBlack) {
  const TestDir dir;
  const auto writer = Open(dir / "a.mp4");
  const Image wide = Picture(320, 240), tall = Picture(121, 240), large = Picture(1280, 960);
  ASSERT_TRUE(writer->Write(wide.view(), milliseconds(0)));
  ASSERT_TRUE(writer->Write(tall.view(), milliseconds(40)));
  ASSERT_TRUE(writer->Write(large.view(), milliseconds(80)));
  ASSERT_TRUE(writer->Write(wide.view(), milliseconds(120)));
  ASSERT_TRUE(writer->Finish());
  const auto reader = OpenVideoReader((dir / "a.mp4").string(), {});
  ASSERT_TRUE(reader);
  for (int i = 0; i < 4; ++i) {
    const auto frame = (*reader)->Next();
    ASSERT_TRUE(frame && *frame);
    const ImageView& image = (*frame)->image;
    ASSERT_EQ(image.width, 320);
    ExpectColour(MeanOf(image, 140, 100, 180, 120), {200, 60, 40});
    const Colour side = i == 1 ? Colour{0, 0, 0} : Colour{200, 60, 40};
    ExpectColour(MeanOf(image, 22, 30, 60, 60), side);
    ExpectColour(MeanOf(image, 300, 30, 318, 60), side);
  }
}

TEST(VideoWriter, CopiesTheAudioOfItsSource) {
  const TestDir dir;
  for (const char* name : {"source.mkv", "source.mp4", "source.avi"}) {
    SCOPED_TRACE(name);
    MakeClip(dir / name, {.frames = 100, .fps = 25});
    const auto writer = Open(dir / "a.mp4", {.fps = 25, .audio_from = dir / name});
    ASSERT_TRUE(WriteAll(*writer, Steady(100, milliseconds(40))));
    EXPECT_EQ(writer->audio_note(), "");
    const TestFile source = ReadTestFile(dir / name), copy = ReadTestFile(dir / "a.mp4");
    EXPECT_EQ(copy.audio, "aac");
    ASSERT_GT(copy.audio_packets.size(), 180u);
    // Up to the end of the last frame.
    ASSERT_LE(copy.audio_packets.size(), source.audio_packets.size());
    ASSERT_GE(copy.audio_packets.size() + 3, source.audio_packets.size());
    for (std::size_t i = 0; i < copy.audio_packets.size(); ++i) {
      ASSERT_EQ(copy.audio_packets[i].bytes, source.audio_packets[i].bytes) << i;
      const microseconds due = source.audio_packets[i].time - source.video_packets[0].time;
      EXPECT_NEAR(copy.audio_packets[i].time.count(), due.count(), kMillisecond.count()) << i;
    }
  }
}

TEST(VideoWriter, CopiesTheAudioOfAPart) {
  const TestDir dir;
  MakeClip(dir / "source.mkv", {.frames = 250, .fps = 25, .video_start = milliseconds(400)});
  const auto writer =
      Open(dir / "a.mp4", {.audio_from = dir / "source.mkv", .from = std::chrono::seconds(4)});
  ASSERT_TRUE(WriteAll(*writer, Steady(50, milliseconds(40), std::chrono::seconds(4))));
  const TestFile source = ReadTestFile(dir / "source.mkv"), copy = ReadTestFile(dir / "a.mp4");
  const auto& all = source.audio_packets;
  ASSERT_FALSE(copy.audio_packets.empty());
  const auto first = std::ranges::find(all, copy.audio_packets[0].bytes, &TestPacket::bytes);
  ASSERT_NE(first, all.end());
  // 4 s after its first frame is 0: what lies before is for the decoder.
  const microseconds zero = source.video_packets[0].time + std::chrono::seconds(4);
  EXPECT_NEAR((first->time - zero).count(), -100'000, 25'000);
  const microseconds shift = first->time - copy.audio_packets[0].time;
  EXPECT_NEAR(shift.count(), zero.count(), 2 * kMillisecond.count());
  for (std::size_t i = 0; i < copy.audio_packets.size(); ++i)
    EXPECT_EQ(copy.audio_packets[i].bytes, (first + static_cast<std::ptrdiff_t>(i))->bytes);
  EXPECT_NEAR(copy.audio_packets.back().time.count(), 2'000'000, 25'000);
}

TEST(VideoWriter, SaysWhyAudioIsLeftOut) {
  const TestDir dir;
  MakeTone(dir / "tone.wav", "pcm_s16le", std::chrono::seconds(1));
  dir.Write("text.mkv", "no video at all");
  struct Case {
    fs::path source;
    const char* note;
  };
  for (const Case& one : {Case{dir / "tone.wav", "pcm_s16le"}, Case{dir / "text.mkv", "text.mkv"},
                          Case{dir / "missing.mp4", "missing.mp4"}, Case{"/dev/null", "no file"}}) {
    SCOPED_TRACE(one.source);
    const auto writer = Open(dir / "a.mp4", {.audio_from = one.source});
    ASSERT_TRUE(WriteAll(*writer, Steady(10, milliseconds(40))));
    EXPECT_THAT(std::string(writer->audio_note()), HasSubstr(one.note));
    const TestFile file = ReadTestFile(dir / "a.mp4");
    EXPECT_EQ(file.audio, "");
    EXPECT_EQ(file.video_packets.size(), 10u);
  }
}

TEST(VideoWriter, LeavesOutAudioThatBeginsMuchLater) {
  const TestDir dir;
  MakeClip(dir / "source.mkv", {.frames = 25, .fps = 1, .audio_start = std::chrono::seconds(15)});
  const auto writer = Open(dir / "a.mp4", {.audio_from = dir / "source.mkv"});
  EXPECT_THAT(std::string(writer->audio_note()), HasSubstr("10 s"));
}

TEST(VideoWriter, NeedsNoNoteWhereThereIsNoAudio) {
  const TestDir dir;
  ASSERT_TRUE(WriteAll(*Open(dir / "silent.mp4"), Steady(10, milliseconds(40))));
  const auto writer = Open(dir / "a.mp4", {.audio_from = dir / "silent.mp4"});
  ASSERT_TRUE(WriteAll(*writer, Steady(10, milliseconds(40))));
  EXPECT_EQ(writer->audio_note(), "");
}

TEST(VideoWriter, RemovesWhatIsNotFinished) {
  const TestDir dir;
  {
    const auto writer = Open(dir / "a.mp4");
    const Image picture = Picture(320, 240);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(writer->Write(picture.view(), i * milliseconds(40)));
    EXPECT_FALSE(IsEmpty(dir));
    EXPECT_FALSE(fs::exists(dir / "a.mp4"));
  }
  EXPECT_TRUE(IsEmpty(dir));
}

TEST(VideoWriter, HasNoFileWithoutAFrame) {
  const TestDir dir;
  {
    const auto writer = Open(dir / "a.mp4");
    const auto finished = writer->Finish();
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(IsEmpty(dir));
}

TEST(VideoWriter, SaysThatADeviceIsFull) {
  const auto written = WriteAll(*Open("/dev/full"), Steady(100, milliseconds(40)));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(written.error().message, HasSubstr("/dev/full"));
  EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
}

TEST(VideoWriter, LeavesNothingOfAFileThatHasNoRoom) {
  const TestDir dir;
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4'000, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = WriteAll(*Open(dir / "a.mp4"), Steady(300, milliseconds(40)));
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(written.error().message, HasSubstr("File too large"));
  EXPECT_TRUE(IsEmpty(dir));
}

TEST(VideoWriter, RefusesASizeThatH264HasNot) {
  const TestDir dir;
  const auto writer = Open(dir / "a.mp4");
  const Image picture = Picture(16'386, 2);
  const auto written = writer->Write(picture.view(), {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kLimitExceeded);
  EXPECT_FALSE(writer->Write(Picture(320, 240).view(), {})) << "the first failure is the last";
}

TEST(VideoWriter, RefusesAnEmptyPictureAndAQualityThatIsNone) {
  const TestDir dir;
  EXPECT_FALSE(Open(dir / "a.mp4")->Write(ImageView(), {}));
  const auto writer = OpenVideoWriter(dir / "a.mp4", {.crf = 52});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kInvalidArgument);
}

TEST(VideoWriter, SaysThatItCannotBeWritten) {
  const TestDir dir;
  dir.Write("file", "");
  const auto writer = OpenVideoWriter(dir / "file/a.mp4", {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kUnavailable);
}

// A second of video is a fragment with its index in it: what comes later changes nothing before.
TEST(VideoWriter, WritesItsIndexAsItGoes) {
  const TestDir dir;
  const auto writer = Open(dir / "a.mp4", {.fps = 25});
  const Image picture = Picture(320, 240);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(writer->Write(picture.view(), i * milliseconds(40)));
  const fs::path part = fs::directory_iterator(dir.path())->path();
  const TestFile so_far = ReadTestFile(part);
  EXPECT_GT(so_far.video_packets.size(), 350u);
  ASSERT_TRUE(writer->Finish());
  const TestFile file = ReadTestFile(dir / "a.mp4");
  EXPECT_EQ(file.video_packets.size(), 500u);
  EXPECT_EQ(std::ranges::count_if(file.video_packets, &TestPacket::is_key), 10);
}

}  // namespace
}  // namespace holostat::media::av
