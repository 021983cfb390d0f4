#include "app/output_target.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_dir.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using pipeline::FrameFormat;

Result<std::vector<OutputTarget>> Parse(const std::vector<std::string>& patterns,
                                        const std::vector<std::string>& names,
                                        InputKind kind = InputKind::kPicture) {
  std::vector<Input> inputs;
  for (const std::string& name : names) inputs.push_back({name, kind});
  return ParseOutputTargets(patterns, inputs);
}

class OutputTargetTest : public ::testing::Test {
 protected:
  TestDir dir_;
};

TEST_F(OutputTargetTest, TheEndingNamesTheFormat) {
  const auto targets = Parse({"a.json", "a.jsonl", "a.svg", "a.JPG", "b.jpeg", "a.png",
                              "a.mask.png", "a.openpose.json", "a.coco.json"},
                             {"x.jpg"});
  ASSERT_TRUE(targets) << targets.error().message;
  const FrameFormat expected[] = {FrameFormat::kJson, FrameFormat::kJson,     FrameFormat::kSvg,
                                  FrameFormat::kJpeg, FrameFormat::kJpeg,     FrameFormat::kPng,
                                  FrameFormat::kMask, FrameFormat::kOpenPose, FrameFormat::kCoco};
  for (std::size_t i = 0; i < targets->size(); ++i)
    EXPECT_EQ((*targets)[i].format, expected[i]) << i;
  EXPECT_EQ((*targets)[1].sink, SinkKind::kJsonLines);
  EXPECT_EQ((*targets)[1].span, Span::kCall);
  EXPECT_EQ((*targets)[0].span, Span::kFrame);
}

TEST_F(OutputTargetTest, AVideoIsMadeOfFrames) {
  for (const InputKind kind : {InputKind::kVideo, InputKind::kFrame}) {
    const auto targets = Parse({"{name}.out.MP4"}, {"x.mkv"}, kind);
    ASSERT_TRUE(targets) << targets.error().message;
    EXPECT_EQ((*targets)[0].sink, SinkKind::kVideo);
    EXPECT_EQ((*targets)[0].span, Span::kInput);
    EXPECT_EQ((*targets)[0].PathFor("films/x.mkv", 0), "x.out.MP4");
  }
  EXPECT_EQ(Parse({"a.mp4"}, {"x.jpg"}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Parse({"a.mp4"}, {"x.mkv", "y.mkv"}, InputKind::kVideo).error().code,
            ErrorCode::kInvalidArgument);
}

TEST_F(OutputTargetTest, AnUnknownEndingIsAUsageError) {
  EXPECT_EQ(Parse({"a.bmp"}, {"x.jpg"}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Parse({"a"}, {"x.jpg"}).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(OutputTargetTest, SeveralPicturesNeedDifferentFiles) {
  EXPECT_FALSE(Parse({"a.svg"}, {"x.jpg", "y.jpg"}));
  EXPECT_TRUE(Parse({"{name}.svg"}, {"x.jpg", "y.jpg"}));
  EXPECT_FALSE(Parse({"{name}.svg"}, {"one/x.jpg", "two/x.jpg"}));
  EXPECT_TRUE(Parse({"{index}-{name}.svg"}, {"one/x.jpg", "two/x.jpg"}));
  EXPECT_TRUE(Parse({"all.jsonl"}, {"x.jpg", "y.jpg"}));
  EXPECT_FALSE(Parse({"a.svg", "a.svg"}, {"x.jpg"}));
  EXPECT_FALSE(Parse({"a.jsonl", "a.jsonl"}, {"x.jpg"}));
}

TEST_F(OutputTargetTest, OneFileUnderTwoNamesIsStillOneFile) {
  EXPECT_FALSE(Parse({"a.svg", "./a.svg"}, {"x.jpg"}));
  EXPECT_FALSE(Parse({"a.jsonl", "b/../a.jsonl"}, {"x.jpg"}));
}

TEST_F(OutputTargetTest, LinesOfAllPicturesNeedOneName) {
  EXPECT_FALSE(Parse({"{name}.jsonl"}, {"x.jpg"}));
  EXPECT_FALSE(Parse({"{index}.jsonl"}, {"x.jpg"}));
}

TEST_F(OutputTargetTest, AnInputIsNeverOverwritten) {
  const auto input = dir_ / "x.jpg";
  std::ofstream(input) << "picture";
  EXPECT_FALSE(Parse({input.string()}, {input.string()}));
  EXPECT_FALSE(Parse({(dir_ / "{name}.jpg").string()}, {input.string()}));
  EXPECT_FALSE(
      Parse({(dir_ / ".." / dir_.path().filename() / "x.jpg").string()}, {input.string()}));
  EXPECT_TRUE(Parse({(dir_ / "y.jpg").string()}, {input.string()}));
}

TEST_F(OutputTargetTest, AFileAFrameOfAVideoIsNumbered) {
  EXPECT_FALSE(Parse({"a.svg"}, {"x.mp4"}, InputKind::kVideo));
  EXPECT_FALSE(Parse({"{name}.openpose.json"}, {"x.mp4"}, InputKind::kVideo));
  const auto targets = Parse({"{name}-{frame}.svg", "{index}.json"}, {"x.mp4"}, InputKind::kVideo);
  ASSERT_TRUE(targets) << targets.error().message;
  EXPECT_EQ((*targets)[0].PathFor("x.mp4", 17), "x-000017.svg");
  EXPECT_EQ((*targets)[0].PathFor("x.mp4", 12345678), "x-12345678.svg");
  EXPECT_EQ((*targets)[1].PathFor("x.mp4", 17), "17.json");
  EXPECT_FALSE(Parse({"{frame}.svg"}, {"x.mp4", "y.mp4"}, InputKind::kVideo));
  EXPECT_TRUE(Parse({"{name}-{frame}.svg"}, {"x.mp4", "y.mp4"}, InputKind::kVideo));
}

TEST_F(OutputTargetTest, AJsonOfAVideoHoldsAllItsFrames) {
  auto targets = Parse({"a.json"}, {"x.mp4"}, InputKind::kVideo);
  ASSERT_TRUE(targets) << targets.error().message;
  EXPECT_EQ((*targets)[0].sink, SinkKind::kJsonDocument);
  EXPECT_EQ((*targets)[0].span, Span::kInput);
  EXPECT_FALSE(Parse({"a.json"}, {"x.mp4", "y.mp4"}, InputKind::kVideo));
  EXPECT_TRUE(Parse({"{name}.json"}, {"x.mp4", "y.mp4"}, InputKind::kVideo));
  targets = Parse({"a.json"}, {"1.png", "2.png"}, InputKind::kFrame);
  ASSERT_TRUE(targets) << "the frames of one video: " << targets.error().message;
  EXPECT_EQ((*targets)[0].sink, SinkKind::kJsonDocument);
  targets = Parse({"{name}.json"}, {"1.png", "2.png"}, InputKind::kFrame);
  ASSERT_TRUE(targets) << targets.error().message;
  EXPECT_EQ((*targets)[0].sink, SinkKind::kFrameFiles) << "as each frame has a name of its own";
}

TEST_F(OutputTargetTest, LinesOfSeveralVideosGoToOneFileOrToOneEach) {
  const auto targets = Parse({"all.jsonl", "{name}.jsonl"}, {"x.mp4", "y.mp4"}, InputKind::kVideo);
  ASSERT_TRUE(targets) << targets.error().message;
  EXPECT_EQ((*targets)[0].span, Span::kCall);
  EXPECT_EQ((*targets)[1].span, Span::kInput);
}

}  // namespace
}  // namespace holostat::app
