#include "app/top_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace holostat::app {
namespace {

using runtime::ServiceStatus;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::size_t kWide = 1000;

ServiceStatus Example(double uptime_s, std::uint64_t requests) {
  ServiceStatus status;
  status.uptime_s = uptime_s;
  status.processes = {
      {.role = "supervisor", .pid = 10, .state = "running", .age_s = uptime_s, .fds = 40},
      {.role = "worker",
       .id = 7,
       .pid = 11,
       .state = "busy",
       .age_s = uptime_s,
       .requests = requests,
       .uss_bytes = 9u << 20,
       .growth = "plateau"}};
  status.totals.requests = requests;
  status.totals.worker_exits = {
      .recycled = 1, .crashed = 2, .hung = 3, .over_budget = 4, .leak = 5, .garbage = 6};
  status.service_pss_bytes = 90u << 20;
  status.budget_bytes = 180u << 20;
  status.memory_level = "normal";
  status.queue_length = 3;
  status.queue_capacity = 64;
  return status;
}

std::string Text(const std::vector<ViewLine>& lines) {
  std::string text;
  for (const ViewLine& line : lines) text += line.text + "\n";
  return text;
}

const ViewLine* LineWith(const std::vector<ViewLine>& lines, std::string_view part) {
  for (const ViewLine& line : lines) {
    if (line.text.find(part) != std::string::npos) return &line;
  }
  return nullptr;
}

TEST(TopView, IsEmptyBeforeTheFirstStatus) {
  EXPECT_TRUE(TopView(Glyphs::kAscii).Render(kWide, 0).empty());
}

TEST(TopView, ShowsWhatTheServiceTells) {
  TopView view(Glyphs::kAscii);
  view.Add(4711, Example(3665, 7330));
  const std::string text = Text(view.Render(kWide, 0));
  for (const char* part :
       {"holostat 4711   up 1:01:05   workers 1, 1 busy   queue 3 of 64", "requests  7330   2.0/s",
        "90.0 MB of 180.0 MB [########........] 50 %   level normal",
        "recycled 1  crashed 2  hung 3  over budget 4  leak 5  garbage 6", "ROLE", "supervisor",
        "worker", "9.0 MB", "plateau"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(TopView, TakesRatesFromTheDifference) {
  TopView view(Glyphs::kAscii);
  view.Add(1, Example(100, 1000));
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr("requests  1000   10.0/s #"));
  view.Add(1, Example(102, 1100));
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr("requests  1100   50.0/s .#"));
  EXPECT_THAT(LineWith(view.Render(kWide, 0), "worker ")->text, HasSubstr(" 50.0 "));
}

TEST(TopView, StartsAnewWithAnotherProcessOrARestartedOne) {
  TopView view(Glyphs::kAscii);
  view.Add(1, Example(100, 1000));
  view.Add(2, Example(200, 1000));
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr(" 5.0/s #\n"));
  view.Add(2, Example(10, 10));
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr(" 1.0/s #\n"));
}

TEST(TopView, SurvivesCountersThatGoBack) {
  TopView view(Glyphs::kAscii);
  view.Add(1, Example(100, 1000));
  view.Add(1, Example(101, 10));
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr(" 0.0/s "));
  view.Add(1, Example(101, 10));  // the same moment
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr(" 0.0/s "));
}

TEST(TopView, KeepsABoundedHistory) {
  TopView view(Glyphs::kAscii);
  for (int i = 0; i < 1000; ++i) view.Add(1, Example(i, 1000));
  EXPECT_LE(LineWith(view.Render(kWide, 0), "requests")->text.size(), 60u);
}

TEST(TopView, FitsAnyWindow) {
  ServiceStatus status = Example(100, 1000);
  for (std::uint32_t i = 0; i < 40; ++i) {
    status.processes.push_back({.role = "worker", .id = i, .pid = 100 + i, .growth = "leak"});
    status.events.push_back({.uptime_s = 1.0 * i, .text = std::string(200, 'e')});
  }
  for (const Glyphs glyphs : {Glyphs::kAscii, Glyphs::kUnicode}) {
    TopView view(glyphs);
    view.Add(1, status);
    for (std::size_t columns = 1; columns < 200; columns += 3) {
      for (std::size_t rows = 1; rows < 60; ++rows) {
        const auto lines = view.Render(columns, rows);
        ASSERT_LE(lines.size(), rows);
        for (const ViewLine& line : lines) ASSERT_LE(WidthOf(line.text), columns) << line.text;
      }
    }
  }
}

TEST(TopView, LeavesOutTheLeastImportantColumns) {
  TopView view(Glyphs::kAscii);
  view.Add(1, Example(100, 1000));
  const std::string narrow = Text(view.Render(80, 0));
  for (const char* title : {"ROLE", "ID", "STATE", "USS", "PID", "GROWTH"}) {
    EXPECT_THAT(narrow, HasSubstr(title));
  }
  EXPECT_THAT(narrow, Not(HasSubstr("HEAP")));
  EXPECT_THAT(Text(view.Render(kWide, 0)), HasSubstr("HEAP"));
}

TEST(TopView, SaysHowManyProcessesDidNotFit) {
  ServiceStatus status = Example(100, 1000);
  for (std::uint32_t i = 0; i < 20; ++i) status.processes.push_back({.role = "worker", .id = i});
  TopView view(Glyphs::kAscii);
  view.Add(1, status);
  EXPECT_THAT(Text(view.Render(kWide, 15)), HasSubstr("... and 17 more\n"));
  EXPECT_THAT(Text(view.Render(kWide, 0)), Not(HasSubstr("more")));
}

TEST(TopView, EndsWithTheLatestEvents) {
  ServiceStatus status = Example(100, 1000);
  for (int i = 0; i < 20; ++i) {
    status.events.push_back({.uptime_s = 1.0 * i, .text = "event " + std::to_string(i)});
  }
  TopView view(Glyphs::kAscii);
  view.Add(1, status);
  const auto lines = view.Render(kWide, 0);
  EXPECT_EQ(lines.back().text, "   0:00:19  event 19");
  EXPECT_EQ(LineWith(lines, "event 11"), nullptr);
  EXPECT_THAT(view.Render(kWide, 14).back().text, StartsWith("   0:00:19"));
}

TEST(TopView, MakesTroubleStandOut) {
  TopView view(Glyphs::kAscii);
  ServiceStatus status = Example(100, 1000);
  view.Add(1, status);
  EXPECT_EQ(LineWith(view.Render(kWide, 0), "memory")->emphasis, Emphasis::kNone);
  EXPECT_EQ(LineWith(view.Render(kWide, 0), "alarms")->emphasis, Emphasis::kNone);
  status.memory_level = "refuse";
  status.processes[1].growth = "leak";
  view.Add(1, status);
  const auto lines = view.Render(kWide, 0);
  EXPECT_EQ(LineWith(lines, "memory")->emphasis, Emphasis::kWarning);
  EXPECT_EQ(LineWith(lines, "alarms")->emphasis, Emphasis::kAlarm);
  EXPECT_THAT(LineWith(lines, "alarms")->text, HasSubstr("worker 7: leak"));
  EXPECT_EQ(LineWith(lines, "worker  ")->emphasis, Emphasis::kAlarm);
}

TEST(TopView, ShowsNoControlCharactersOfTheService) {
  ServiceStatus status = Example(100, 1000);
  status.memory_level = status.processes[0].role = status.processes[0].state =
      status.processes[1].growth = "\x1b[2J\u00e9";
  status.events = {{.uptime_s = 1, .text = "\x1b]0;title\x07"}};
  TopView view(Glyphs::kAscii);
  view.Add(1, status);
  for (const ViewLine& line : view.Render(kWide, 0)) {
    for (const char c : line.text) EXPECT_TRUE(c >= 0x20 && c <= 0x7e) << line.text;
  }
}

}  // namespace
}  // namespace holostat::app
