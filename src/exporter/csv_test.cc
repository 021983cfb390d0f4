#include "exporter/csv.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <sstream>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::exporter {
namespace {

std::vector<std::string> Cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line + ",");
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

// The rows, each by the names of its columns.
std::vector<std::map<std::string, std::string>> Read(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const auto names = Cells(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    const auto cells = Cells(line);
    EXPECT_EQ(cells.size(), names.size());
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size() && i < names.size(); ++i) row[names[i]] = cells[i];
  }
  return rows;
}

TEST(Csv, HasARowAFrameAndPersonAndOneForNobody) {
  std::array<Person, 2> people;
  people[0].id = 1;
  people[1].id = 5;
  people[0].pose_landmarks[32].presence = 0.1f;
  people[0].pose_landmarks[3].x = std::numeric_limits<float>::quiet_NaN();
  people[1].face.emplace().count = kFaceMeshCount;
  people[1].face->points[467] = {0.25f, 0.5f, -0.125f};
  people[1].right_hand.emplace().score = 0.75f;
  people[1].right_hand->world_landmarks[20].z = 0.03125f;
  std::string text;
  AppendCsvHead(text);
  AppendCsvRows({std::chrono::microseconds(40'001), 640, 480, people}, 1, "a.mp4", text);
  AppendCsvRows({std::chrono::microseconds(80'000), 640, 480, {}}, 2, "a.mp4", text);
  const auto rows = Read(text);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].at("timestamp_ms"), "40.001");
  EXPECT_EQ(rows[0].at("pose_32_presence"), "0.1");
  EXPECT_EQ(rows[0].at("pose_3_x"), "") << "not finite";
  EXPECT_EQ(rows[0].at("face_0_x"), "");
  EXPECT_EQ(rows[0].at("left_hand_score"), "");
  EXPECT_EQ(rows[1].at("person_id"), "5");
  EXPECT_EQ(rows[1].at("face_467_z"), "-0.125");
  EXPECT_EQ(rows[1].at("face_477_z"), "") << "no irises";
  EXPECT_EQ(rows[1].at("right_hand_world_20_z"), "0.03125");
  EXPECT_EQ(rows[1].at("right_hand_score"), "0.75");
  EXPECT_EQ(rows[2].at("frame"), "2");
  EXPECT_EQ(rows[2].at("person_id"), "");
}

TEST(Csv, QuotesANameThatNeedsIt) {
  std::string text;
  AppendCsvRows({}, 0, "a,\"b\".mp4", text);
  EXPECT_TRUE(text.starts_with("\"a,\"\"b\"\".mp4\",0,0.000,0,0,,")) << text.substr(0, 40);
}

TEST(Csv, MakesNoHeapCallAfterWarmUp) {
  std::array<Person, 1> people;
  people[0].face.emplace().count = kFaceRefinedCount;
  std::string text;
  AppendCsvRows({{}, 640, 480, people}, 0, "a.mp4", text);
  text.clear();
  const auto before = HeapCalls();
  AppendCsvRows({{}, 640, 480, people}, 0, "a.mp4", text);
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::exporter
