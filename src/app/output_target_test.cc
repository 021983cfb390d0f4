#include "app/output_target.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_dir.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using pipeline::FrameFormat;

class OutputTargetTest : public ::testing::Test {
 protected:
  TestDir dir_;
};

TEST_F(OutputTargetTest, TheEndingNamesTheFormat) {
  const auto targets = ParseOutputTargets({"a.json", "a.jsonl", "a.svg", "a.JPG", "b.jpeg", "a.png",
                                           "a.mask.png", "a.openpose.json", "a.coco.json"},
                                          {"x.jpg"});
  ASSERT_TRUE(targets) << targets.error().message;
  const FrameFormat expected[] = {FrameFormat::kJson, FrameFormat::kJson,     FrameFormat::kSvg,
                                  FrameFormat::kJpeg, FrameFormat::kJpeg,     FrameFormat::kPng,
                                  FrameFormat::kMask, FrameFormat::kOpenPose, FrameFormat::kCoco};
  for (std::size_t i = 0; i < targets->size(); ++i)
    EXPECT_EQ((*targets)[i].format, expected[i]) << i;
  EXPECT_TRUE((*targets)[1].one_line_a_picture);
}

TEST_F(OutputTargetTest, AnUnknownEndingIsAUsageError) {
  EXPECT_EQ(ParseOutputTargets({"a.bmp"}, {"x.jpg"}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ParseOutputTargets({"a"}, {"x.jpg"}).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(OutputTargetTest, SeveralPicturesNeedDifferentFiles) {
  EXPECT_FALSE(ParseOutputTargets({"a.svg"}, {"x.jpg", "y.jpg"}));
  EXPECT_TRUE(ParseOutputTargets({"{name}.svg"}, {"x.jpg", "y.jpg"}));
  EXPECT_FALSE(ParseOutputTargets({"{name}.svg"}, {"one/x.jpg", "two/x.jpg"}));
  EXPECT_TRUE(ParseOutputTargets({"{index}-{name}.svg"}, {"one/x.jpg", "two/x.jpg"}));
  EXPECT_TRUE(ParseOutputTargets({"all.jsonl"}, {"x.jpg", "y.jpg"}));
  EXPECT_FALSE(ParseOutputTargets({"a.svg", "a.svg"}, {"x.jpg"}));
  EXPECT_FALSE(ParseOutputTargets({"a.jsonl", "a.jsonl"}, {"x.jpg"}));
}

TEST_F(OutputTargetTest, OneFileUnderTwoNamesIsStillOneFile) {
  EXPECT_FALSE(ParseOutputTargets({"a.svg", "./a.svg"}, {"x.jpg"}));
  EXPECT_FALSE(ParseOutputTargets({"a.jsonl", "b/../a.jsonl"}, {"x.jpg"}));
}

TEST_F(OutputTargetTest, LinesOfAllPicturesNeedOneName) {
  EXPECT_FALSE(ParseOutputTargets({"{name}.jsonl"}, {"x.jpg"}));
  EXPECT_FALSE(ParseOutputTargets({"{index}.jsonl"}, {"x.jpg"}));
}

TEST_F(OutputTargetTest, AnInputIsNeverOverwritten) {
  const auto input = dir_ / "x.jpg";
  std::ofstream(input) << "picture";
  EXPECT_FALSE(ParseOutputTargets({input.string()}, {input.string()}));
  EXPECT_FALSE(ParseOutputTargets({(dir_ / "{name}.jpg").string()}, {input.string()}));
  EXPECT_FALSE(ParseOutputTargets({(dir_ / ".." / dir_.path().filename() / "x.jpg").string()},
                                  {input.string()}));
  EXPECT_TRUE(ParseOutputTargets({(dir_ / "y.jpg").string()}, {input.string()}));
}

}  // namespace
}  // namespace holostat::app
