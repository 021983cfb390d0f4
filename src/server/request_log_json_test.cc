#include "server/request_log_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace holostat::server {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Json = nlohmann::json;

const LogTime kNow{milliseconds(1'772'366'400'007)};  // 2026-03-01 12:00:00.007 UTC

RequestLogEntry Tracked() {
  return {.request_id = "r-1",
          .client = "192.0.2.7",
          .method = "POST",
          .path = "/v1/track",
          .status = 200,
          .bytes_in = 1000,
          .bytes_out = 2000,
          .duration = microseconds(26'100),
          .worker_id = 3,
          .attempts = 1};
}

TEST(RequestLogJson, OneLineHasAllThatIsKnown) {
  const std::string line = RequestLine(LogFormat::kJson, kNow, Tracked());
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(Json::parse(line),
            Json::parse(R"({"time":"2026-03-01T12:00:00.007Z","event":"request","request_id":"r-1",
              "client":"192.0.2.7","method":"POST","path":"/v1/track","status":200,
              "duration_ms":26.1,"bytes_in":1000,"bytes_out":2000,"worker":3,"attempts":1})"));
}

TEST(RequestLogJson, WhatSaysNothingIsLeftOut) {
  const Json line =
      Json::parse(RequestLine(LogFormat::kJson, kNow, {.path = "/", .error = "no token"}));
  EXPECT_FALSE(line.contains("worker"));
  EXPECT_FALSE(line.contains("attempts"));
  EXPECT_EQ(line["error"], "no token");
  EXPECT_EQ(line["status"], 0);
}

TEST(RequestLogJson, TextIsForAPerson) {
  auto entry = Tracked();
  entry.attempts = 2;
  entry.error = "late";
  EXPECT_EQ(RequestLine(LogFormat::kText, kNow, entry),
            "2026-03-01T12:00:00.007Z 192.0.2.7 r-1 POST /v1/track 200 26.1 ms 1000 -> 2000 B "
            "worker 3 attempt 2: late\n");
}

TEST(RequestLogJson, AClientCannotForgeALineNorMoveTheCursor) {
  const std::string evil = "/x\n2026 forged\x1b[2J\x7f\"}\xff";
  for (const LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
    const std::string line =
        RequestLine(format, kNow, {.request_id = evil, .method = evil, .path = evil});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
  const Json line = Json::parse(RequestLine(LogFormat::kJson, kNow, {.path = evil}));
  EXPECT_TRUE(line["path"].get<std::string>().starts_with("/x\n2026"));
}

TEST(RequestLogJson, NoLineIsLongerThanAPipeTakesAtOnce) {
  for (const std::string& text :
       {std::string(1'000'000, 'x'), std::string(5000, '\x01'), std::string(5000, '\xff')}) {
    const RequestLogEntry entry{
        .request_id = text, .client = "192.0.2.7", .method = "POST", .path = text, .error = "long"};
    for (const LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
      EXPECT_LE(RequestLine(format, kNow, entry).size(), kMaxLogLine);
      EXPECT_LE(EventLine(format, kNow, {1, text}).size(), kMaxLogLine);
      EXPECT_LE(MessageLine(format, kNow, text).size(), kMaxLogLine);
    }
    EXPECT_TRUE(Json::accept(EventLine(LogFormat::kJson, kNow, {1, text})));
  }
}

TEST(RequestLogJson, EventsAndMessagesAreLinesToo) {
  const Json event = Json::parse(EventLine(LogFormat::kJson, kNow, {12.3456, "worker 3 crashed"}));
  EXPECT_EQ(event["event"], "service");
  EXPECT_EQ(event["uptime_s"], 12.346);
  EXPECT_EQ(event["text"], "worker 3 crashed");
  EXPECT_EQ(Json::parse(MessageLine(LogFormat::kJson, kNow, "hello"))["event"], "message");
  EXPECT_EQ(MessageLine(LogFormat::kText, kNow, "hello"), "2026-03-01T12:00:00.007Z hello\n");
}

TEST(RequestLogJson, FormatsHaveNames) {
  EXPECT_EQ(ParseLogFormat("text"), LogFormat::kText);
  EXPECT_EQ(ParseLogFormat("json"), LogFormat::kJson);
  EXPECT_EQ(ParseLogFormat("yaml"), std::nullopt);
}

}  // namespace
}  // namespace holostat::server
