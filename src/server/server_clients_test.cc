// What clients do to a server that means well: nothing of it stays, and others do not notice.
#include <gmock/gmock.h>

#include <vector>

#include "server/server_fixture.h"

namespace holostat::server {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class ServerClientsTest : public ServerFixture {
 protected:
  // Numbers that the server's thread writes while we wait for them to change: a stale one only
  // makes us look again.
  bool GoneBecomes(std::uint64_t count) const {
    return Becomes([&] { return server_->stats().clients_gone >= count; });
  }
  bool WorkerHasWork() const {
    return Becomes([&] { return Status().find("\"state\":\"busy\"") != std::string::npos; });
  }
};

TEST_F(ServerClientsTest, AnswersPipelinedRequestsInOrder) {
  Start();
  TestClient client = Client();
  client.Send(Post("/v1/track", "GIF89aone") + Get("/healthz") + Post("/v1/track", "GIF89atwo"));
  EXPECT_EQ(client.Receive().body, "eno");
  EXPECT_THAT(client.Receive().body, HasSubstr("ok"));
  EXPECT_EQ(client.Receive().body, "owt");
}

TEST_F(ServerClientsTest, TakesChunksOfOneByte) {
  Start();
  std::string request = "POST /v1/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char c : std::string("GIF89a") + std::string(300'000, 'x'))
    request += std::string("1\r\n") + c + "\r\n";
  TestClient client = Client();
  const auto answer = client.Ask(request + "0\r\n\r\n" + Get("/healthz"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.size(), 300'000u);
  EXPECT_EQ(client.Receive().status, 200);
}

TEST_F(ServerClientsTest, DecidesOnTheLengthBeforeTheBody) {
  options_.max_body_bytes = 1000;
  Start();
  EXPECT_EQ(
      Client().Ask("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n").status,
      413);
  EXPECT_EQ(Client().Ask("POST /v1/track HTTP/1.1\r\nHost: a\r\n\r\n").status, 411);
  EXPECT_EQ(Client()
                .Ask("POST /v1/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                     "3e9\r\n" +
                     std::string(1001, 'a'))
                .status,
            413);
}

TEST_F(ServerClientsTest, TellsAClientThatAsksWhetherToSendItsBody) {
  Start();
  TestClient client = Client();
  const std::string head =
      "POST /v1/track HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n";
  EXPECT_EQ(client.Ask(head + "\r\n").status, 100);
  EXPECT_EQ(client.Ask("GIF89aabc").body, "cba");
  EXPECT_EQ(Client().Ask(head + "Content-Type: text/html\r\n\r\n").status, 415);
}

TEST_F(ServerClientsTest, ClosesAfterWhatIsMalformed) {
  Start();
  for (const char* bytes : {"GET / HTTP/1.1\nHost: a\n\n", "GET /healthz HTTP/1.1\r\n\r\n",
                            "POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                            "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n"
                            "Host: a\r\n\r\n",
                            "POST /v1/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                            "chunked\r\n\r\nzz\r\n"}) {
    TestClient client = Client();
    EXPECT_EQ(client.Ask(bytes).status, 400) << bytes;
    EXPECT_TRUE(client.IsClosed());
    EXPECT_EQ(client.unread(), "") << bytes;
  }
}

TEST_F(ServerClientsTest, RefusesAFloodOfHeaders) {
  Start();
  std::string flood = "GET /healthz HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 2000; ++i) flood += fmt::format("X-{}: aaaaaaaaaaaaaaaa\r\n", i);
  EXPECT_EQ(Client().Ask(flood).status, 431);
}

TEST_F(ServerClientsTest, WaitsForNoSlowHeadOrBody) {
  options_.header_timeout = options_.body_timeout = milliseconds(200);
  Start();
  TestClient slow_head = Client(), slow_body = Client();
  slow_head.Send("GET /heal");
  slow_body.Send("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nGIF");
  EXPECT_EQ(slow_head.Receive().status, 408);
  EXPECT_EQ(slow_body.Receive().status, 408);
  EXPECT_TRUE(slow_head.IsClosed());
  EXPECT_TRUE(slow_body.IsClosed());
}

// Each byte comes in time; all of them do not.
TEST_F(ServerClientsTest, WaitsForNoHeadThatTrickles) {
  options_.header_timeout = milliseconds(300);
  Start();
  TestClient client = Client();
  const std::string request = Get("/healthz", "X-A: " + std::string(400, 'a') + "\r\n");
  for (const char c : request) {
    client.Send(std::string(1, c));
    if (client.IsClosed(milliseconds(20))) break;
  }
  EXPECT_THAT(client.unread(), HasSubstr("HTTP/1.1 408"));
}

TEST_F(ServerClientsTest, ClosesAnIdleConnection) {
  options_.idle_timeout = milliseconds(100);
  Start();
  TestClient client = Client();
  EXPECT_EQ(client.Ask(Get("/healthz")).status, 200);
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(ServerClientsTest, KeepsNothingOfOneThatLeavesDuringItsUpload) {
  Start();
  for (int i = 0; i < 50; ++i) {
    TestClient client = Client();
    client.Send("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nGIF89a");
    i % 2 == 0 ? client.Close() : client.Reset();
  }
  // Those that reset may be gone before we know of their request.
  EXPECT_TRUE(GoneBecomes(25));
  EXPECT_TRUE(Becomes([&] { return server_->stats().connections == 0; }));
  EXPECT_EQ(Client().Ask(Post("/v1/track", "GIF89ahello")).body, "olleh");
}

TEST_F(ServerClientsTest, DropsTheWorkOfOneThatLeaves) {
  setup_.pool.queue_capacity = 4;
  Start();
  FreezeWorker();
  for (int i = 0; i < 20; ++i) {
    TestClient client = Client();
    client.Send(Post("/v1/track", "GIF89ahello"));
    ASSERT_TRUE(WorkerHasWork());
    i % 2 == 0 ? client.Close() : client.Reset();
    ASSERT_TRUE(GoneBecomes(static_cast<std::uint64_t>(i + 1))) << i;
  }
  ThawWorker();
  EXPECT_EQ(Client().Ask(Post("/v1/track", "GIF89aagain")).body, "niaga");
}

TEST_F(ServerClientsTest, AnswersOneThatHasOnlyClosedItsSendingSide) {
  Start();
  FreezeWorker();
  TestClient client = Client();
  client.Send(Post("/v1/track", "GIF89ahello"));
  ASSERT_TRUE(WorkerHasWork());
  client.CloseSendingSide();
  auto answer = client.Receive();
  EXPECT_EQ(answer.status, 100);
  ThawWorker();
  answer = client.Receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "olleh");
}

TEST_F(ServerClientsTest, RefusesWhatIsTooMuchAtOnce) {
  setup_.pool.queue_capacity = 1;
  Start();
  FreezeWorker();
  TestClient working = Client(), waiting = Client(), refused = Client();
  working.Send(Post("/v1/track", "GIF89aone"));
  ASSERT_TRUE(WorkerHasWork());
  waiting.Send(Post("/v1/track", "GIF89atwo"));
  ASSERT_TRUE(Becomes([&] {
    return Status().find("\"queue_length\":1") != std::string::npos ||
           Status().find("\"length\":1") != std::string::npos;
  })) << Status();
  const auto answer = refused.Ask(Post("/v1/track", "GIF89athree"));
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.Header("Retry-After"), "1");
  EXPECT_EQ(refused.Ask(Get("/healthz")).status, 200) << "the connection was lost";
  ThawWorker();
  EXPECT_EQ(working.Receive().body, "eno");
  EXPECT_EQ(waiting.Receive().body, "owt");
}

TEST_F(ServerClientsTest, HoldsNoMoreConnectionsThanItMay) {
  options_.max_connections_per_client = 2;
  Start();
  {
    TestClient one = Client(), two = Client();
    EXPECT_EQ(one.Ask(Get("/healthz")).status, 200);
    EXPECT_EQ(two.Ask(Get("/healthz")).status, 200);
    TestClient three = Client();
    EXPECT_TRUE(three.IsClosed());
    EXPECT_EQ(one.Ask(Get("/healthz")).status, 200);
  }
  EXPECT_TRUE(Becomes([&] { return Client().Ask(Get("/healthz")).status == 200; }));
}

TEST_F(ServerClientsTest, AnswersOthersBesideManyIdleOnes) {
  Start();
  std::vector<TestClient> idle;
  for (int i = 0; i < 300; ++i) idle.push_back(Client());
  EXPECT_EQ(Client().Ask(Post("/v1/track", "GIF89ahello")).body, "olleh");
}

}  // namespace
}  // namespace holostat::server
