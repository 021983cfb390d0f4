#include "app/resume_point.h"

#include <gtest/gtest.h>

#include <string>

#include "base/test_dir.h"

namespace holostat::app {
namespace {

std::string Frame(int number, const std::string& people = "") {
  return R"({"schema":"holostat.frame/1","frame":)" + std::to_string(number) +
         R"(,"timestamp_ms":)" + std::to_string(number * 40) +
         R"(.5,"image":{"width":640,"height":480},"people":[)" + people + "]}";
}

TEST(ResumePoint, IsTheLastWholeLine) {
  const TestDir dir;
  const std::string whole = Frame(0) + "\n" + Frame(3) + "\n";
  const auto file = dir.Write("a.jsonl", whole + Frame(6).substr(0, 40));
  const auto point = FindResumePoint(file).value();
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->frame, 3u);
  EXPECT_EQ(point->timestamp_ms, 120.5);
  EXPECT_EQ(point->width, 640);
  EXPECT_EQ(point->height, 480);
  EXPECT_FALSE(point->face_points.has_value());
  EXPECT_EQ(point->bytes, whole.size());
  ASSERT_TRUE(CutAfter(file, point->bytes).has_value());
  EXPECT_EQ(std::filesystem::file_size(file), whole.size());
}

TEST(ResumePoint, OneLineIsEnough) {
  const TestDir dir;
  const auto point = FindResumePoint(dir.Write("a.jsonl", Frame(7) + "\n")).value();
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->frame, 7u);
}

TEST(ResumePoint, LinesMayBeLong) {
  const TestDir dir;
  const std::string people = R"({"face_landmarks":null,"pad":")" + std::string(3'000'000, 'x') +
                             R"("},{"face_landmarks":[[0,0,0],[1,1,1]]})";
  const auto file =
      dir.Write("a.jsonl", Frame(1) + "\n" + Frame(2, people) + "\n" + std::string(500'000, 'y'));
  const auto point = FindResumePoint(file).value();
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->frame, 2u);
  EXPECT_EQ(point->face_points, 2u);
}

TEST(ResumePoint, WhereThereIsNoneAllIsToBeDone) {
  const TestDir dir;
  EXPECT_FALSE(FindResumePoint(dir / "none.jsonl").value().has_value());
  EXPECT_FALSE(FindResumePoint(dir.Write("empty.jsonl", "")).value().has_value());
  EXPECT_FALSE(
      FindResumePoint(dir.Write("torn.jsonl", Frame(0).substr(0, 30))).value().has_value());
  EXPECT_TRUE(CutAfter(dir / "none.jsonl", 0).has_value());
}

TEST(ResumePoint, OtherFilesAreRefused) {
  const TestDir dir;
  for (const std::string text : {"notes\n", "{}\n", "\n", "[1,2]\n", "{\"schema\":\"other\"}\n",
                                 "{\"schema\":\"holostat.frame/1\",\"frame\":\"x\"}\n"}) {
    const auto point = FindResumePoint(dir.Write("a.jsonl", text));
    ASSERT_FALSE(point.has_value()) << text;
    EXPECT_EQ(point.error().code, ErrorCode::kCorruptData) << text;
  }
  EXPECT_EQ(FindResumePoint(dir.path()).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(FindResumePoint("/dev/null").error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace holostat::app
