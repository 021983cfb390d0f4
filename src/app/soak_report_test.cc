#include "app/soak_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace holostat::app {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// Each number is another one, so that one in another's place shows.
SoakReport Example() {
  SoakReport report;
  report.duration_s = 100;
  report.settings = {{"workers", "2"}, {"chaos", "crash=0.01"}};
  report.requests = 5000;
  report.ok = 4990;
  report.lost = 3;
  report.wrong = 4;
  report.retried = 50;
  report.refused = 6;
  report.restarts = {
      .recycled = 11, .crashed = 12, .hung = 13, .over_budget = 14, .leak = 15, .garbage = 16};
  report.zygote_restarts = 17;
  report.uss_slope = UssSlope{.bytes_per_min = 2048, .low = -1024, .high = 4096};
  report.uss_growth_bytes = -20480;
  report.peak_service_pss_bytes = 90u << 20;
  report.budget_bytes = 180u << 20;
  report.fds = {.start = 41, .end = 42};
  report.threads = {.start = 5, .end = 7};
  report.p50_ms = 25.5;
  report.p99_ms = 61.5;
  report.recovery_p50_ms = 11.25;
  report.recovery_max_ms = 1234.5;
  report.leak_alarms = {"worker 3 leaks 1.0 MB a request at Leak() leak.cc:7"};
  return report;
}

TEST(SoakReport, TellsPeopleAllOfIt) {
  const std::string text = SoakReportText(Example());
  for (const char* part :
       {"workers 2, chaos crash=0.01", "0:01:40 (50.0 requests/s)",
        "5000: ok 4990, lost 3, wrong 4, retried 50, refused 6", "p50 25.5 ms, p99 61.5 ms",
        "recycled 11, crashed 12, hung 13, over budget 14, leak 15, garbage 16; zygote 17",
        "p50 11.2 ms, max 1.23 s", "+2.0 kB/min, between -1.0 kB and +4.0 kB (flat: 0 is inside)",
        "-20.0 kB after warm-up", "90.0 MB of 180.0 MB (50 %)", "41 -> 42", "5 -> 7",
        "leak alarms       1", "Leak() leak.cc:7"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(text.back(), '\n');
}

TEST(SoakReport, SaysWhetherMemoryRises) {
  SoakReport report = Example();
  report.uss_slope = UssSlope{.bytes_per_min = 2048, .low = 1024, .high = 4096};
  EXPECT_THAT(SoakReportText(report), HasSubstr("(rises)"));
  report.uss_slope = UssSlope{.bytes_per_min = -2048, .low = -4096, .high = -1};
  EXPECT_THAT(SoakReportText(report), HasSubstr("(falls)"));
  report.uss_slope.reset();
  EXPECT_THAT(SoakReportText(report), HasSubstr("too few samples"));
}

TEST(SoakReport, SaysWhenTheBudgetWasNotKept) {
  SoakReport report = Example();
  EXPECT_THAT(SoakReportText(report), Not(HasSubstr("OVER")));
  report.peak_service_pss_bytes = report.budget_bytes + 1;
  EXPECT_THAT(SoakReportText(report), HasSubstr("OVER"));
  report.budget_bytes = 0;
  EXPECT_THAT(SoakReportText(report), Not(HasSubstr(" of ")));
}

TEST(SoakReport, ShowsAFewOfManyAlarmsAndNoControlCharacters) {
  SoakReport report = Example();
  report.leak_alarms.assign(100, "\x1b[2Jalarm");
  const std::string text = SoakReportText(report);
  EXPECT_THAT(text, HasSubstr("leak alarms       100"));
  EXPECT_THAT(text, HasSubstr("... and 92 more"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(SoakReport, TellsProgramsTheSame) {
  const std::string text = SoakReportJson(Example());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json expected = Json::parse(R"({
    "requests": 5000, "ok": 4990, "lost": 3, "wrong": 4, "retried": 50, "refused": 6,
    "restarts": {"recycled": 11, "crashed": 12, "hung": 13, "over_budget": 14, "leak": 15,
                 "garbage": 16, "zygote": 17},
    "uss_slope_bytes_per_min": 2048.0, "uss_slope_interval": [-1024.0, 4096.0],
    "uss_growth_bytes": -20480, "peak_service_pss_bytes": 94371840, "budget_bytes": 188743680,
    "fds": {"start": 41, "end": 42}, "threads": {"start": 5, "end": 7},
    "latency_ms": {"p50": 25.5, "p99": 61.5}, "recovery_ms": {"p50": 11.25, "max": 1234.5},
    "leak_alarms": ["worker 3 leaks 1.0 MB a request at Leak() leak.cc:7"],
    "duration_s": 100.0, "settings": {"workers": "2", "chaos": "crash=0.01"}})");
  EXPECT_EQ(Json::parse(text), expected);
}

TEST(SoakReport, HasNullForASlopeThatIsNoneOrNoNumber) {
  SoakReport report = Example();
  report.uss_slope.reset();
  EXPECT_TRUE(Json::parse(SoakReportJson(report))["uss_slope_bytes_per_min"].is_null());
  EXPECT_TRUE(Json::parse(SoakReportJson(report))["uss_slope_interval"].is_null());
  report.uss_slope = UssSlope{.bytes_per_min = std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(Json::parse(SoakReportJson(report))["uss_slope_bytes_per_min"].is_null());
}

TEST(SoakReport, IsGoodForAnEmptyRun) {
  EXPECT_THAT(SoakReportText({}), HasSubstr("0: ok 0"));
  EXPECT_EQ(Json::parse(SoakReportJson({}))["settings"], Json::object());
}

}  // namespace
}  // namespace holostat::app
