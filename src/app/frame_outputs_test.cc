#include "app/frame_outputs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/test_dir.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class FrameOutputsTest : public ::testing::Test {
 protected:
  Result<FrameOutputs> Open(const std::vector<std::string>& names,
                            const std::vector<Input>& inputs) {
    std::vector<std::string> patterns;
    for (const std::string& name : names) patterns.push_back((dir_ / name).string());
    auto targets = ParseOutputTargets(patterns, inputs);
    if (!targets) return tl::unexpected(targets.error());
    return FrameOutputs::Open(*std::move(targets), {});
  }
  // Frames of a video in which nobody is.
  static Result<void> Write(FrameOutputs& outputs, const std::string& source, std::size_t count) {
    const Image picture(8, 6);
    for (std::size_t i = 0; i < count; ++i) {
      const FrameResult frame{std::chrono::milliseconds(40 * i), 8, 6, {}};
      HOLO_TRY(outputs.Write(frame, picture.view(), source, i));
    }
    return {};
  }
  static Result<void> Video(FrameOutputs& outputs, const std::string& source, std::size_t place,
                            std::size_t count) {
    HOLO_TRY(outputs.Begin({.source = source, .place = place, .fps = 25}));
    return Write(outputs, source, count);
  }

  TestDir dir_;
};

TEST_F(FrameOutputsTest, AVideoIsADocumentAndAFileAFrame) {
  auto outputs = Open({"a.json", "{name}-{frame}.svg"}, {{"x.mp4", InputKind::kVideo}});
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_TRUE(Video(*outputs, "x.mp4", 0, 3));
  EXPECT_FALSE(fs::exists(dir_ / "a.json")) << "not before it is whole";
  ASSERT_TRUE(outputs->Finish());
  const json document = json::parse(ReadAll(dir_ / "a.json"));
  EXPECT_EQ(document["schema"], "holostat.frames/1");
  EXPECT_EQ(document["source"], "x.mp4");
  EXPECT_EQ(document["fps"], 25);
  ASSERT_EQ(document["frames"].size(), 3u);
  EXPECT_EQ(document["frames"][2]["timestamp_ms"], 80);
  EXPECT_TRUE(fs::exists(dir_ / "x-000002.svg"));
}

TEST_F(FrameOutputsTest, EachVideoHasItsDocumentAndAllShareTheLines) {
  auto outputs = Open({"{name}.json", "all.jsonl"},
                      {{"x.mp4", InputKind::kVideo}, {"y.mp4", InputKind::kVideo}});
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_TRUE(Video(*outputs, "x.mp4", 0, 2));
  ASSERT_TRUE(Video(*outputs, "y.mp4", 1, 3));
  EXPECT_EQ(json::parse(ReadAll(dir_ / "x.json"))["frames"].size(), 2u) << "ended by the next";
  ASSERT_TRUE(outputs->Finish());
  EXPECT_EQ(json::parse(ReadAll(dir_ / "y.json"))["frames"].size(), 3u);
  const std::string lines = ReadAll(dir_ / "all.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5);
}

TEST_F(FrameOutputsTest, AVideoWithoutFramesIsAnEmptyDocument) {
  auto outputs = Open({"a.json"}, {{"x.mp4", InputKind::kVideo}});
  ASSERT_TRUE(outputs);
  ASSERT_TRUE(outputs->Begin({.source = "\"\xff.mp4"}));
  ASSERT_TRUE(outputs->Finish());
  const json document = json::parse(ReadAll(dir_ / "a.json"));
  EXPECT_EQ(document["frames"], json::array());
  EXPECT_EQ(document["source"], "\"\uFFFD.mp4");
  EXPECT_TRUE(document["fps"].is_null());
}

TEST_F(FrameOutputsTest, RowsOfAllVideosShareATableUnlessItIsNamedForEach) {
  const std::vector<Input> videos{{"x.mp4", InputKind::kVideo}, {"y.mp4", InputKind::kVideo}};
  auto outputs = Open({"all.csv", "{name}.csv"}, videos);
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_TRUE(Video(*outputs, "x.mp4", 0, 2));
  ASSERT_TRUE(Video(*outputs, "y.mp4", 1, 3));
  EXPECT_TRUE(outputs->Finish());
  const auto lines = [&](const char* name) {
    const std::string text = ReadAll(dir_ / name);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("all.csv"), 6);
  EXPECT_EQ(lines("x.csv"), 3);
  EXPECT_EQ(lines("y.csv"), 4);
}

TEST_F(FrameOutputsTest, TheHeadOfABvhIsPatchedAndItsFaceLiesBeside) {
  auto outputs = Open({"a.bvh"}, {{"x.mp4", InputKind::kVideo}});
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_TRUE(Video(*outputs, "x.mp4", 0, 3));
  EXPECT_TRUE(outputs->Finish());
  const std::string text = ReadAll(dir_ / "a.bvh");
  EXPECT_NE(text.find("Frames:            3\nFrame Time: 0.04000000\n"), std::string::npos);
  EXPECT_EQ(json::parse(ReadAll(dir_ / "a.face.json"))["frames"].size(), 3u);
  EXPECT_FALSE(Open({"a.bvh", "a.face.json"}, {{"x.jpg"}})) << "both would write the face";
}

TEST_F(FrameOutputsTest, WithoutFinishNoDocumentIsLeft) {
  {
    auto outputs = Open({"a.json"}, {{"x.mp4", InputKind::kVideo}});
    ASSERT_TRUE(outputs);
    ASSERT_TRUE(Video(*outputs, "x.mp4", 0, 2));
  }
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

TEST_F(FrameOutputsTest, OneOutputThatFailsStopsNoOther) {
  dir_.Write("file", "x");
  auto outputs = Open({"file/a.json", "a.jsonl"}, {{"x.mp4", InputKind::kVideo}});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(outputs->Begin({.source = "x.mp4"}).error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(outputs->can_write());
  EXPECT_TRUE(Write(*outputs, "x.mp4", 2)) << "said once, not for each frame";
  EXPECT_TRUE(outputs->Finish());
  const std::string lines = ReadAll(dir_ / "a.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

TEST_F(FrameOutputsTest, ADiskThatIsFullIsSaidWhenTheLinesEnd) {
  fs::create_symlink("/dev/full", dir_ / "a.jsonl");
  auto outputs = Open({"a.jsonl"}, {{"x.mp4", InputKind::kVideo}});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(Video(*outputs, "x.mp4", 0, 2).error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(outputs->can_write()) << "nobody is left who takes frames";
}

}  // namespace
}  // namespace holostat::app
