#include "media/video_source.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"

namespace holostat::media {
namespace {

TEST(VideoSource, TheNameSaysWhatKindItIs) {
  using enum VideoSourceKind;
  EXPECT_EQ(KindOfVideoSource("-"), kStandardInput);
  EXPECT_EQ(KindOfVideoSource("dance.mp4"), kFile);
  EXPECT_EQ(KindOfVideoSource("/dev/video2"), kDevice);
  EXPECT_EQ(KindOfVideoSource("rtsp://camera/1"), kAddress);
  EXPECT_EQ(KindOfVideoSource("HTTPS://host/a.mp4"), kAddress);
  EXPECT_EQ(KindOfVideoSource("frames/a%04d.png"), kSequence);
  EXPECT_EQ(KindOfVideoSource("frames/a%d.png"), kSequence);
}

TEST(VideoSource, PathsThatLookLikeMoreArePaths) {
  using enum VideoSourceKind;
  for (const char* path : {"./rtsp://camera", "a/b://c", "://x", "1a://x", "50% d.mp4", "100%.mp4",
                           "a%%04d.png", "a%s.png", "concat:a|b", "file:a.mp4", ""}) {
    EXPECT_EQ(KindOfVideoSource(path), kFile) << path;
  }
}

TEST(VideoSource, SchemesAreComparedInSmallLetters) {
  EXPECT_EQ(SchemeOf("RTSP://camera"), "rtsp");
  EXPECT_EQ(SchemeOf("srt://camera"), "srt");
}

TEST(VideoSource, VideosAreToldFromPictures) {
  for (const char* name : {"a.mp4", "A.MOV", "b.webm", "/dev/video0", "rtsp://x", "a%03d.jpg"})
    EXPECT_TRUE(IsVideoName(name)) << name;
  for (const char* name : {"a.jpg", "a.png", "-", "mp4", "a.mp4.png", "a.gif", ""})
    EXPECT_FALSE(IsVideoName(name)) << name;
}

TEST(FirstOfSequence, IsTheLowestNumberThatThereIs) {
  const TestDir dir;
  for (const char* name : {"a0012.png", "a0007.png", "a0008.jpg", "b0001.png", "a.png", "ax.png"})
    dir.Write(name, "");
  EXPECT_EQ(FirstOfSequence(dir / "a%04d.png").value(), 7);
  EXPECT_EQ(FirstOfSequence(dir / "b%04d.png").value(), 1);
}

TEST(FirstOfSequence, PercentSignsAreWrittenTwice) {
  const TestDir dir;
  dir.Write("50%_3.png", "");
  EXPECT_EQ(FirstOfSequence(dir / "50%%_%d.png").value(), 3);
}

TEST(FirstOfSequence, SaysWhatIsWrong) {
  const TestDir dir;
  EXPECT_EQ(FirstOfSequence(dir / "a%d.png").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(FirstOfSequence(dir / "none/a%d.png").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(FirstOfSequence(dir / "a%d_%d.png").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(FirstOfSequence(dir / "x%d/a.png").error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace holostat::media
