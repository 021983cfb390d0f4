#include "app/video_sink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "base/heap_calls.h"
#include "base/test_dir.h"

namespace holostat::app {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Writes nothing, and remembers what it was given without a heap call.
class FakeLibrary : public media::VideoLibrary {
 public:
  Result<std::unique_ptr<media::VideoReader>> OpenReader(
      const std::string&, const media::VideoReader::Options&) override {
    return Fail(ErrorCode::kUnsupported, "no reader");
  }
  Result<std::unique_ptr<media::VideoWriter>> OpenWriter(
      const std::filesystem::path& path, const media::VideoWriter::Options& options) override {
    path_ = path;
    options_ = options;
    return std::make_unique<Writer>(*this);
  }

  std::string version() const override { return "a fake"; }

  std::filesystem::path path_;
  media::VideoWriter::Options options_;
  int frames_ = 0, finished_ = 0, drawn_pixels_ = 0;
  microseconds last_{0};

 private:
  class Writer : public media::VideoWriter {
   public:
    explicit Writer(FakeLibrary& library) : library_(library) {}
    Result<void> Write(const ImageView& image, microseconds timestamp) override {
      ++library_.frames_;
      library_.last_ = timestamp;
      library_.drawn_pixels_ = 0;
      for (int y = 0; y < image.height; ++y) {
        library_.drawn_pixels_ += static_cast<int>(std::count_if(
            image.row(y), image.row(y) + 3 * image.width, [](auto value) { return value > 0; }));
      }
      return {};
    }
    Result<void> Finish() override {
      ++library_.finished_;
      return {};
    }
    std::string_view audio_note() const override { return ""; }

   private:
    FakeLibrary& library_;
  };
};

std::array<Person, 1> Somebody() {
  std::array<Person, 1> people;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    const float place = static_cast<float>(i) / kPoseLandmarkCount;
    people[0].pose_landmarks[i] = {place, 1 - place, 0, 1, 1};
  }
  return people;
}

OutputTarget Target(const std::string& pattern) {
  return {.pattern = pattern, .sink = SinkKind::kVideo, .span = Span::kInput};
}

// A black frame of a video in which `people` are.
Result<void> Write(FrameSink& sink, const Image& picture, std::span<const Person> people,
                   microseconds time) {
  static const std::string source = "clip.mp4";
  return sink.Write({.result = {time, picture.width(), picture.height(), people},
                     .picture = picture.view(),
                     .source = source});
}

TEST(VideoSink, DrawsOnACopyAtTheTimeOfTheFrame) {
  FakeLibrary library;
  const auto sink = MakeVideoSink(Target("out/{name}.mp4"), {}, library);
  const Image picture(320, 240);
  const auto people = Somebody();
  ASSERT_TRUE(sink->Begin({.source = "films/clip.mkv", .fps = 24}));
  ASSERT_TRUE(Write(*sink, picture, people, milliseconds(1234)));
  EXPECT_EQ(library.path_, "out/clip.mp4");
  EXPECT_EQ(library.options_.fps, 24);
  EXPECT_EQ(library.options_.from, milliseconds(1234)) << "its audio begins with its first frame";
  EXPECT_FALSE(library.options_.comment.empty());
  EXPECT_EQ(library.last_, milliseconds(1234));
  EXPECT_GT(library.drawn_pixels_, 500);
  const auto row = picture.row(120);
  EXPECT_TRUE(std::all_of(row, row + 960, [](auto value) { return value == 0; }));
  ASSERT_TRUE(Write(*sink, picture, {}, milliseconds(1274)));
  EXPECT_EQ(library.drawn_pixels_, 0) << "of the frame before";
  ASSERT_TRUE(sink->Finish());
  EXPECT_EQ(library.frames_, 2);
  EXPECT_EQ(library.finished_, 1);
}

TEST(VideoSink, TakesAudioFromFilesOnly) {
  FakeLibrary library;
  const TestDir dir;
  const Image picture(32, 24);
  const std::string file = dir.Write("clip.mkv", "").string();
  for (const std::string& source :
       {file, std::string("-"), std::string("rtsp://camera/1"), std::string("/dev/null")}) {
    const auto sink = MakeVideoSink(Target("a.mp4"), {}, library);
    ASSERT_TRUE(sink->Begin({.source = source}));
    ASSERT_TRUE(Write(*sink, picture, {}, microseconds(0)));
    EXPECT_EQ(library.options_.audio_from, source == file ? file : "") << source;
  }
}

TEST(VideoSink, MakesAFileAnInput) {
  FakeLibrary library;
  const auto sink = MakeVideoSink(Target("{name}-{index}.mp4"), {}, library);
  const Image picture(32, 24);
  for (std::size_t place = 0; place < 2; ++place) {
    ASSERT_TRUE(sink->Begin({.source = place == 0 ? "x.mp4" : "y.mp4", .place = place}));
    ASSERT_TRUE(Write(*sink, picture, {}, microseconds(0)));
    ASSERT_TRUE(sink->Finish());
    EXPECT_EQ(library.path_, place == 0 ? "x-0.mp4" : "y-1.mp4");
  }
  EXPECT_EQ(library.finished_, 2);
}

TEST(VideoSink, LeavesUnfinishedWhatIsBegunAgain) {
  FakeLibrary library;
  const auto sink = MakeVideoSink(Target("a.mp4"), {}, library);
  const Image picture(32, 24);
  ASSERT_TRUE(sink->Begin({.source = "x.mp4"}));
  ASSERT_TRUE(Write(*sink, picture, {}, microseconds(0)));
  ASSERT_TRUE(sink->Begin({.source = "x.mp4"}));
  EXPECT_EQ(library.finished_, 0);
}

TEST(VideoSink, SaysThatThereIsNoVideoWithoutAFrame) {
  FakeLibrary library;
  const auto sink = MakeVideoSink(Target("a.mp4"), {}, library);
  ASSERT_TRUE(sink->Begin({.source = "x.mp4"}));
  const auto finished = sink->Finish();
  ASSERT_FALSE(finished);
  EXPECT_NE(finished.error().message.find("a.mp4"), std::string::npos);
}

TEST(VideoSink, DrawsWithoutAHeapCall) {
  FakeLibrary library;
  const auto sink = MakeVideoSink(Target("a.mp4"), {}, library);
  const Image picture(640, 480);
  const auto people = Somebody();
  ASSERT_TRUE(sink->Begin({.source = "x.mp4"}));
  ASSERT_TRUE(Write(*sink, picture, people, microseconds(0)));
  const auto before = HeapCalls();
  for (int i = 1; i < 20; ++i) ASSERT_TRUE(Write(*sink, picture, people, milliseconds(40 * i)));
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::app
