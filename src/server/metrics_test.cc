#include "server/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace holostat::server {
namespace {

using std::chrono::milliseconds;

struct Series {
  std::string help, type;
  std::map<std::string, double> samples;  // `name{labels}` as written
};
using Scrape = std::map<std::string, Series>;

// The family that a sample belongs to: a histogram has three kinds of them.
std::string FamilyOf(const std::string& sample, const Scrape& scrape) {
  for (const char* suffix : {"_bucket", "_sum", "_count"}) {
    if (!sample.ends_with(suffix)) continue;
    const auto found = scrape.find(sample.substr(0, sample.size() - std::string(suffix).size()));
    if (found != scrape.end() && found->second.type == "histogram") return found->first;
  }
  return sample;
}

// Strict: a line that is none of the three kinds, a sample without HELP and TYPE before it, a
// sample twice, and a value that is no number all throw.
Scrape Parse(const std::string& text) {
  static const std::regex comment(R"(# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+))");
  static const std::regex sample(
      R"(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (\S+))");
  if (!text.ends_with('\n')) throw std::runtime_error("the last line has no end");
  Scrape scrape;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, comment)) {
      Series& family = scrape[match[2]];
      std::string& part = match[1] == "HELP" ? family.help : family.type;
      if (!part.empty()) throw std::runtime_error("twice: " + line);
      part = match[3];
    } else if (std::regex_match(line, match, sample)) {
      const auto family = scrape.find(FamilyOf(match[1], scrape));
      if (family == scrape.end() || family->second.help.empty() || family->second.type.empty())
        throw std::runtime_error("of no family: " + line);
      const double value = std::stod(match[3]);
      if (!std::isfinite(value) || value < 0) throw std::runtime_error("no count: " + line);
      const std::string key = match[1].str() + match[2].str();
      if (!family->second.samples.emplace(key, value).second)
        throw std::runtime_error("twice: " + line);
    } else {
      throw std::runtime_error("not understood: " + line);
    }
  }
  return scrape;
}

runtime::ServiceStatus SomeStatus() {
  runtime::ServiceStatus status;
  status.uptime_s = 12.5;
  status.processes = {{.role = "supervisor", .uss_bytes = 5'000'000, .fds = 40, .threads = 1},
                      {.role = "zygote", .pss_bytes = 70'000'000},
                      {.role = "worker", .id = 700, .state = "idle", .uss_bytes = 13'000'000},
                      {.role = "worker", .id = 701, .state = "busy", .uss_bytes = 14'000'000}};
  status.totals.ok = 90;
  status.totals.client_errors = 10;
  status.totals.worker_exits.hung = 3;
  status.totals.leak_alarms = 2;
  status.queue_length = 4;
  status.queue_capacity = 64;
  status.service_pss_bytes = 133'000'000;
  status.memory_level = "lighter";
  return status;
}

std::string Render(const runtime::ServiceStatus& status, const HttpStats& http) {
  return MetricsPage({"/v1/track", "/healthz"}).Render({status, http, true, 7});
}

double Value(const Scrape& scrape, const std::string& sample) {
  for (const auto& [name, family] : scrape) {
    const auto found = family.samples.find(sample);
    if (found != family.samples.end()) return found->second;
  }
  ADD_FAILURE() << "there is no " << sample;
  return -1;
}

TEST(Metrics, SaysWhatTheServiceSays) {
  HttpStats http;
  http.CountStatus(0, 200);
  http.CountStatus(0, 422);
  http.CountStatus(0, 422);
  http.CountStatus(99, 404);
  http.CountStatus(1, 299);
  http.live_dropped = 6;
  const Scrape scrape = Parse(Render(SomeStatus(), http));
  const auto value = [&](const std::string& sample) { return Value(scrape, sample); };
  EXPECT_EQ(value(R"(holostat_http_requests_total{route="/v1/track",status="200"})"), 1);
  EXPECT_EQ(value(R"(holostat_http_requests_total{route="/v1/track",status="422"})"), 2);
  EXPECT_EQ(value(R"(holostat_http_requests_total{route="other",status="404"})"), 1);
  EXPECT_EQ(value(R"(holostat_http_requests_total{route="/healthz",status="other"})"), 1);
  EXPECT_EQ(value("holostat_live_frames_dropped_total"), 6);
  EXPECT_EQ(value("holostat_uptime_seconds"), 12.5);
  EXPECT_EQ(value("holostat_ready"), 1);
  EXPECT_EQ(value(R"(holostat_jobs_total{outcome="ok"})"), 90);
  EXPECT_EQ(value(R"(holostat_jobs_total{outcome="client_error"})"), 10);
  EXPECT_EQ(value(R"(holostat_worker_exits_total{cause="hung"})"), 3);
  EXPECT_EQ(value("holostat_leak_alarms_total"), 2);
  EXPECT_EQ(value("holostat_queue_length"), 4);
  EXPECT_EQ(value("holostat_queue_capacity"), 64);
  EXPECT_EQ(value("holostat_memory_pss_bytes"), 133e6);
  EXPECT_EQ(value(R"(holostat_memory_level{level="lighter"})"), 1);
  EXPECT_EQ(value(R"(holostat_memory_level{level="normal"})"), 0);
  EXPECT_EQ(value(R"(holostat_workers{state="idle"})"), 1);
  EXPECT_EQ(value(R"(holostat_process_uss_bytes{role="worker",id="1"})"), 14e6);
  EXPECT_EQ(value(R"(holostat_process_open_fds{role="supervisor",id="0"})"), 40);
  EXPECT_EQ(value("holostat_log_lines_dropped_total"), 7);
}

TEST(Metrics, HistogramsAreCumulativeAndEndWithAll) {
  HttpStats http;
  for (const int ms : {2, 20, 40, 60'000}) http.inference.Record(milliseconds(ms));
  const Scrape scrape = Parse(Render(SomeStatus(), http));
  const auto bucket = [&](const char* bound) {
    return Value(scrape,
                 std::string(R"(holostat_stage_duration_seconds_bucket{stage="infer",le=")") +
                     bound + "\"}");
  };
  EXPECT_EQ(bucket("0.001"), 0);
  EXPECT_EQ(bucket("0.0025"), 1);
  EXPECT_EQ(bucket("0.025"), 2);
  EXPECT_EQ(bucket("0.05"), 3);
  EXPECT_EQ(bucket("30"), 3);
  EXPECT_EQ(bucket("+Inf"), 4);
  EXPECT_EQ(Value(scrape, R"(holostat_stage_duration_seconds_count{stage="infer"})"), 4);
  EXPECT_NEAR(Value(scrape, R"(holostat_stage_duration_seconds_sum{stage="infer"})"), 60.062, 1e-6);
}

// https://prometheus.io/docs/practices/naming/
TEST(Metrics, NamesFollowTheConventions) {
  const Scrape scrape = Parse(Render(SomeStatus(), {}));
  EXPECT_GE(scrape.size(), 30u);
  for (const auto& [name, family] : scrape) {
    EXPECT_TRUE(std::regex_match(name, std::regex("holostat(_[a-z]+)+"))) << name;
    EXPECT_EQ(family.type == "counter", name.ends_with("_total")) << name;
    EXPECT_FALSE(family.samples.empty()) << name;
    EXPECT_TRUE(family.type != "histogram" || name.ends_with("_seconds")) << name;
    for (const char* wrong : {"_ms", "_milliseconds", "_mb", "_kb", "_count", "_sum", "_bucket"})
      EXPECT_EQ(name.find(wrong), std::string::npos) << name;
    EXPECT_TRUE(family.help.ends_with('.')) << name << ": " << family.help;
  }
}

TEST(Metrics, ReplacedWorkersAddNoSeries) {
  MetricsPage page({"/v1/track"});
  auto status = SomeStatus();
  const HttpStats http;
  std::set<std::string> series;
  for (std::uint32_t id = 0; id < 1000; ++id) {
    status.processes[2].id = 800 + 2 * id;
    status.processes[3].id = 801 + 2 * id;
    for (const auto& [name, family] : Parse(page.Render({status, http})))
      for (const auto& [sample, value] : family.samples) series.insert(sample);
  }
  EXPECT_LT(series.size(), 200u);
}

// The first column of the tables in docs/metrics.md.
TEST(Metrics, TheDocumentListsEachMetricAndNoOther) {
  std::ifstream file(std::string(HOLOSTAT_SOURCE_DIR) + "/docs/metrics.md");
  ASSERT_TRUE(file) << "docs/metrics.md";
  static const std::regex row(R"(\| `(holostat_[a-z_]+)` \| (\w+) \|.*)");
  std::map<std::string, std::string> listed, shown;
  for (std::string line; std::getline(file, line);) {
    if (std::smatch match; std::regex_match(line, match, row)) listed[match[1]] = match[2];
  }
  for (const auto& [name, family] : Parse(Render(SomeStatus(), {}))) shown[name] = family.type;
  EXPECT_EQ(listed, shown);
}

}  // namespace
}  // namespace holostat::server
