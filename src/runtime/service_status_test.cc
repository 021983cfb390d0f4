#include "runtime/service_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace holostat::runtime {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

// Each number is another one, so that a field that takes another's place shows.
ServiceStatus Example() {
  ServiceStatus status;
  status.uptime_s = 61.25;
  status.processes = {{.role = "supervisor",
                       .id = 0,
                       .pid = 4700,
                       .state = "running",
                       .generation = 1,
                       .age_s = 61.125,
                       .requests = 2,
                       .uss_bytes = 3'000'000,
                       .pss_bytes = 4'000'000,
                       .rss_bytes = 5'000'000'000,
                       .heap_bytes = 6'000'000,
                       .fds = 7,
                       .threads = 8,
                       .growth = "plateau"},
                      {.role = "worker", .id = 3, .pid = 4711, .state = "busy", .growth = "leak"}};
  status.totals = {
      .requests = 11,
      .ok = 12,
      .client_errors = 13,
      .retried = 14,
      .failed = 15,
      .refused = 16,
      .cancelled = 161,
      .worker_exits =
          {.recycled = 17, .crashed = 18, .hung = 19, .over_budget = 20, .leak = 21, .garbage = 22},
      .zygote_restarts = 23,
      .leak_alarms = 24};
  status.latency = {.p50_ms = 25.5, .p99_ms = 26.5, .max_ms = 27.5};
  status.queue_length = 28;
  status.queue_capacity = 29;
  status.service_pss_bytes = std::numeric_limits<std::uint64_t>::max();
  status.budget_bytes = 30;
  status.memory_level = "normal";
  status.recovery_p50_ms = 31.5;
  status.recovery_max_ms = 32.5;
  status.events = {{.uptime_s = 33.5, .text = "worker 3 (pid 4711) crashed: \"signal 11\"\n"}};
  return status;
}

Json Parsed(const ServiceStatus& status) { return Json::parse(ToJson(status)); }

TEST(ServiceStatus, HasTheShapeThatTheDesignNames) {
  const Json json = Parsed(Example());
  EXPECT_EQ(json["uptime_s"], 61.25);
  const Json& process = json["processes"][0];
  for (const char* field : {"role", "id", "pid", "state", "generation", "age_s", "requests",
                            "uss_bytes", "pss_bytes", "rss_bytes", "fds"}) {
    EXPECT_TRUE(process.contains(field)) << field;
  }
  EXPECT_EQ(process["rss_bytes"], 5'000'000'000);
  const Json& totals = json["totals"];
  EXPECT_EQ(totals["requests"], 11);
  EXPECT_EQ(totals["ok"], 12);
  EXPECT_EQ(totals["client_errors"], 13);
  EXPECT_EQ(totals["retried"], 14);
  EXPECT_EQ(totals["failed"], 15);
  EXPECT_EQ(totals["worker_exits"]["recycled"], 17);
  EXPECT_EQ(totals["worker_exits"]["crashed"], 18);
  EXPECT_EQ(totals["worker_exits"]["hung"], 19);
  EXPECT_EQ(totals["worker_exits"]["over_budget"], 20);
  EXPECT_EQ(totals["worker_exits"]["leak"], 21);
  EXPECT_EQ(totals["leak_alarms"], 24);
  EXPECT_EQ(json["memory"]["service_pss_bytes"], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json["memory"]["budget_bytes"], 30);
  EXPECT_EQ(json["memory"]["level"], "normal");
}

TEST(ServiceStatus, IsOneLine) { EXPECT_EQ(ToJson(Example()).find('\n'), std::string::npos); }

TEST(ServiceStatus, ReadsBackAllThatItWrites) {
  const auto read = FromJson(ToJson(Example()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(ToJson(*read), ToJson(Example()));
  EXPECT_EQ(read->processes[1].pid, 4711);
  EXPECT_EQ(read->processes[0].growth, "plateau");
  EXPECT_EQ(read->totals.worker_exits.garbage, 22u);
  EXPECT_EQ(read->latency.p99_ms, 26.5);
  EXPECT_EQ(read->queue_capacity, 29u);
  EXPECT_EQ(read->recovery_max_ms, 32.5);
  EXPECT_EQ(read->events[0].text, "worker 3 (pid 4711) crashed: \"signal 11\"\n");
}

TEST(ServiceStatus, RoundsTimesAndHasNoNumberThatIsNone) {
  ServiceStatus status;
  status.uptime_s = 1.23456789;
  status.latency.p50_ms = std::numeric_limits<double>::quiet_NaN();
  status.recovery_max_ms = std::numeric_limits<double>::infinity();
  const Json json = Parsed(status);
  EXPECT_EQ(json["uptime_s"], 1.235);
  EXPECT_EQ(json["latency_ms"]["p50"], 0);
  EXPECT_EQ(json["recovery_ms"]["max"], 0);
}

TEST(ServiceStatus, StaysJsonWithTextsThatAreNoUtf8) {
  ServiceStatus status;
  status.events = {{.uptime_s = 0, .text = "bad \xff\xc3"}};
  const auto read = FromJson(ToJson(status));
  ASSERT_TRUE(read);
  EXPECT_THAT(read->events[0].text, HasSubstr("\xef\xbf\xbd"));
}

TEST(ServiceStatus, SkipsFieldsItDoesNotKnow) {
  Json json = Parsed(Example());
  json["new"] = {1, 2, 3};
  json["processes"][0]["new"] = "x";
  json["totals"]["worker_exits"]["new"] = 1;
  const auto read = FromJson(json.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(ToJson(*read), ToJson(Example()));
}

TEST(ServiceStatus, NeedsOnlyTheFieldsOfTheDesign) {
  Json json = Parsed(Example());
  for (const char* field : {"latency_ms", "queue", "recovery_ms", "events"}) json.erase(field);
  for (Json& process : json["processes"]) {
    for (const char* field : {"heap_bytes", "threads", "growth"}) process.erase(field);
  }
  for (const char* field : {"refused", "cancelled", "zygote_restarts"}) json["totals"].erase(field);
  json["totals"]["worker_exits"].erase("garbage");
  EXPECT_TRUE(FromJson(json.dump()));
}

// Whether the status without `what` is still one.
bool IsReadWithout(const Json::json_pointer& what) {
  Json json = Parsed(Example());
  Json& parent = json[what.parent_pointer()];
  parent.erase(what.back());
  return FromJson(json.dump()).has_value();
}

TEST(ServiceStatus, NamesAFieldThatIsMissing) {
  for (const char* field :
       {"/uptime_s", "/processes", "/totals", "/memory", "/processes/0/pid", "/totals/ok",
        "/totals/worker_exits", "/totals/worker_exits/leak", "/memory/level"}) {
    EXPECT_FALSE(IsReadWithout(Json::json_pointer(field))) << field;
  }
  Json json = Parsed(Example());
  json["totals"]["worker_exits"].erase("hung");
  EXPECT_EQ(FromJson(json.dump()).error().message,
            "status: in \"totals\": in \"worker_exits\": no \"hung\"");
}

TEST(ServiceStatus, RefusesEveryFieldOfAnotherType) {
  const Json flat = Parsed(Example()).flatten();
  for (const auto& [path, value] : flat.items()) {
    for (const Json& wrong : {Json(-1), Json(true), Json(nullptr), Json::array({1})}) {
      Json json = Parsed(Example());
      json[Json::json_pointer(path)] = wrong;
      const auto read = FromJson(json.dump());
      ASSERT_FALSE(read) << path << " = " << wrong;
      EXPECT_EQ(read.error().code, ErrorCode::kCorruptData);
    }
  }
}

TEST(ServiceStatus, RefusesNumbersOutOfRange) {
  for (const auto& [path, value] :
       {std::pair("/processes/0/id", "4294967296"),
        std::pair("/processes/0/pid", "9223372036854775808"),
        std::pair("/totals/ok", "18446744073709551616"), std::pair("/totals/ok", "1.5")}) {
    Json json = Parsed(Example());
    json[Json::json_pointer(path)] = "HERE";
    std::string text = json.dump();
    text.replace(text.find("\"HERE\""), 6, value);
    EXPECT_FALSE(FromJson(text)) << path;
  }
}

TEST(ServiceStatus, RefusesWhatIsNoStatus) {
  for (const std::string_view text :
       {"", "{", "[]", "null", "{}", "nonsense", "{\"uptime_s\":1}"}) {
    const auto read = FromJson(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kCorruptData);
  }
  EXPECT_EQ(FromJson(std::string((4 << 20) + 1, ' ')).error().code, ErrorCode::kLimitExceeded);
  EXPECT_FALSE(FromJson(std::string(4 << 20, '[')));  // as deep as it gets
}

TEST(ServiceStatus, SurvivesDamagedBytes) {
  std::mt19937 random(7);
  const std::string good = ToJson(Example());
  for (int i = 0; i < 4'000; ++i) {
    std::string text = good;
    for (std::uint32_t n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = "0-9{}[]\",:eE.tfn\\\xff"[random() % 18];
      } else {
        text.erase(at, random() % 8);
      }
    }
    const auto read = FromJson(text);
    if (read) ToJson(*read);
  }
}

TEST(ServiceStatus, IsDocumentedFieldByField) {
  std::ifstream file(HOLOSTAT_SOURCE_DIR "/docs/status-json.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const Json flat = Parsed(Example()).flatten();
  for (const auto& [path, value] : flat.items()) {
    for (Json::json_pointer at(path); !at.empty(); at.pop_back()) {
      if (std::isdigit(static_cast<unsigned char>(at.back()[0])) != 0) continue;  // of a list
      EXPECT_THAT(page, HasSubstr("`" + at.back() + "`"));
    }
  }
}

}  // namespace
}  // namespace holostat::runtime
