#include "server/request_head.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace holostat::server {
namespace {

// The status that a head is refused with; 0: it is taken.
int Refusal(const std::string& head) {
  std::size_t scanned = 0;
  const HeadProgress progress = ScanHead(head, scanned);
  if (progress == HeadProgress::kBad) return 400;
  EXPECT_EQ(progress, HeadProgress::kComplete) << head;
  const auto read = ReadHead(std::string_view(head).substr(0, scanned));
  return read ? 0 : read.error().status;
}
std::string With(const std::string& fields) {
  return "POST /v1/track HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

TEST(RequestHead, IsReadAsItStands) {
  const auto head = ReadHead(
      "POST /v1/track?people=1&x=%20 HTTP/1.1\r\nHost: a:80\r\nContent-Length: 12\r\n"
      "Authorization: Bearer t\r\nExpect: 100-continue\r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->method, "POST");
  EXPECT_EQ(head->path, "/v1/track");
  EXPECT_EQ(head->query, "people=1&x=%20");
  EXPECT_EQ(head->framing, Framing::kLength);
  EXPECT_EQ(head->content_length, 12u);
  EXPECT_TRUE(head->keep_alive);
  EXPECT_TRUE(head->expects_continue);
  EXPECT_EQ(head->authorization, "Bearer t");
}

TEST(RequestHead, TakesTheHostOffATargetInAbsoluteForm) {
  const auto head = ReadHead("GET http://a/healthz?b HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->path, "/healthz");
  EXPECT_EQ(head->query, "b");
}

TEST(RequestHead, RefusesWhatTwoProgramsMightReadDifferently) {
  const std::vector<std::string> shapes = {
      With("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
      With("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
      With("Content-Length: 5\r\nContent-Length: 6\r\n"),
      With("Content-Length: 5\r\nContent-Length: 5\r\n"),
      With("Content-Length: 5, 5\r\n"),
      With("Content-Length: +5\r\n"),
      With("Content-Length: -5\r\n"),
      With("Content-Length: 0x5\r\n"),
      With("Content-Length: 5 5\r\n"),
      With("Content-Length: 99999999999999999999\r\n"),
      With("Content-Length:\r\n"),
      With("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
      With("Content-Length : 5\r\n"),
      With("X: a\r\n b\r\n"),
      With("X: a\r\n\tb\r\n"),
      With(" X: a\r\n"),
      With("X: a\nY: b\r\n"),
      With("X: a\rY: b\r\n"),
      With(std::string("X: a\0b\r\n", 8)),
      With("X\r\n"),
      With(": a\r\n"),
      With("X y: a\r\n"),
      With("Host: b\r\n"),
      "POST /v1/track HTTP/1.1\r\n\r\n",
      "POST /v1/track HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST  /v1/track HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /v1/track  HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /a b HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST v1 HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /v1/track\r\nHost: a\r\n\r\n",
      "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
      "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\nHost: a\n\n",
  };
  for (const std::string& shape : shapes) EXPECT_EQ(Refusal(shape), 400) << shape;
  EXPECT_EQ(Refusal(With("Content-Length: 5\r\n")), 0);
  EXPECT_EQ(Refusal(With("Transfer-Encoding: chunked\r\n")), 0);
}

// With 501 and 505, as the standard has them, a client's bytes would count as our failure.
TEST(RequestHead, SaysWhatItDoesNotSpeak) {
  EXPECT_EQ(Refusal(With("Transfer-Encoding: gzip, chunked\r\n")), 400);
  EXPECT_EQ(Refusal(With("Transfer-Encoding: xchunked\r\n")), 400);
  EXPECT_EQ(Refusal("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(Refusal(With("Expect: tea\r\n")), 417);
}

TEST(RequestHead, TellsAWebSocketByWholeWordsOfAnyCase) {
  const auto wants = [](const std::string& upgrade, const std::string& connection) {
    const auto head = ReadHead("GET /v1/live HTTP/1.1\r\nHost: a\r\nUpgrade: " + upgrade +
                               "\r\nConnection: " + connection + "\r\n\r\n");
    return head && head->wants_websocket;
  };
  EXPECT_TRUE(wants("WebSocket", "keep-alive, UPGRADE"));
  EXPECT_TRUE(wants("websocket", "Upgrade"));
  for (const std::string word : {"websocke", "websockets", "7ebsocket"})
    EXPECT_FALSE(wants(word, "Upgrade")) << word;
  for (const std::string word : {"upgrad", "upgraded", "keep-alive", "up,grade"})
    EXPECT_FALSE(wants("websocket", word)) << word;
}

TEST(RequestHead, HasNoMoreFieldsThanItMay) {
  std::string many;
  for (int i = 0; i < 99; ++i) many += fmt::format("X-{}: a\r\n", i);
  EXPECT_EQ(Refusal(With(many)), 0);
  EXPECT_EQ(Refusal(With(many + "Y: b\r\n")), 431);
  EXPECT_EQ(Refusal("GET /" + std::string(5000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"), 414);
}

TEST(RequestHead, IsFoundWhenItComesByteByByte) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\nrest";
  std::size_t scanned = 0;
  for (std::size_t size = 0; size < head.size() - 4; ++size)
    EXPECT_EQ(ScanHead(head.substr(0, size), scanned), HeadProgress::kMore) << size;
  EXPECT_EQ(ScanHead(head, scanned), HeadProgress::kComplete);
  EXPECT_EQ(scanned, head.size() - 4);
}

}  // namespace
}  // namespace holostat::server
