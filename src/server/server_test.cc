#include "server/server.h"

#include <gmock/gmock.h>

#include <utility>

#include "server/server_fixture.h"

namespace holostat::server {
namespace {

using testing::HasSubstr;

class ServerTest : public ServerFixture {};

TEST_F(ServerTest, SaysThatItIsThere) {
  Start();
  const auto answer = Client().Ask(Get("/healthz"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"status":"ok"})");
  EXPECT_EQ(answer.Header("X-Content-Type-Options"), "nosniff");
}

TEST_F(ServerTest, HasAPictureTracked) {
  Start();
  const auto answer = Client().Ask(Post("/v1/track", "GIF89ahello", "X-Request-Id: abc-1\r\n"));
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.body, "olleh");
  EXPECT_EQ(answer.Header("Content-Type"), "application/json");
  EXPECT_EQ(answer.Header("X-Request-Id"), "abc-1");
  EXPECT_THAT(answer.Header("Server-Timing"),
              testing::MatchesRegex("queue;dur=[0-9.]+, decode;dur=[0-9.]+, infer;dur=[0-9.]+, "
                                    "encode;dur=[0-9.]+"));
}

TEST_F(ServerTest, TellsItsState) {
  Start();
  EXPECT_THAT(Status(), HasSubstr(R"("processes":[)"));
}

TEST_F(ServerTest, AsksForTheToken) {
  options_.token = "secret";
  Start();
  EXPECT_EQ(Client().Ask(Get("/v1/status")).status, 401);
  EXPECT_EQ(Client().Ask(Get("/v1/status?token=secret")).status, 401);
  EXPECT_EQ(Client().Ask(Get("/v1/status", "Authorization: Bearer secret\r\n")).status, 200);
  EXPECT_EQ(Client().Ask(Get("/healthz")).status, 200);
  EXPECT_EQ(Client().Ask(Get("/readyz")).status, 200);
}

TEST_F(ServerTest, HoldsAClientToItsRate) {
  options_.requests_per_second = 0.01;
  options_.request_burst = 2;
  Start();
  EXPECT_EQ(Client().Ask(Get("/openapi.json")).status, 200);
  EXPECT_EQ(Client().Ask(Get("/openapi.json")).status, 200);
  const auto answer = Client().Ask(Get("/openapi.json"));
  EXPECT_EQ(answer.status, 429);
  EXPECT_GT(std::atoi(answer.Header("Retry-After").c_str()), 50);
  EXPECT_EQ(Client().Ask(Get("/healthz")).status, 200);
}

TEST_F(ServerTest, TellsPagesOfOthersNothingUnlessTheyAreNamed) {
  options_.cors_origins = {"https://friend.example"};
  Start();
  const std::string origin = "Access-Control-Allow-Origin";
  EXPECT_EQ(Client().Ask(Get("/healthz", "Origin: https://evil.example\r\n")).Header(origin), "");
  EXPECT_EQ(Client().Ask(Get("/healthz", "Origin: https://friend.example\r\n")).Header(origin),
            "https://friend.example");
  const auto preflight = Client().Ask(
      "OPTIONS /v1/track HTTP/1.1\r\nHost: a\r\nOrigin: https://friend.example\r\n"
      "Access-Control-Request-Method: POST\r\n\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.Header("Access-Control-Allow-Methods"), "POST, OPTIONS");
}

TEST_F(ServerTest, SaysWhatIsWrongWithARequest) {
  Start();
  EXPECT_EQ(Client().Ask(Get("/v1/nothing")).status, 404);
  EXPECT_EQ(Client().Ask(Get("/../../etc/passwd")).status, 404);
  EXPECT_EQ(Client().Ask(Get("/assets/%2e%2e/%2e%2e/etc/passwd")).status, 404);
  const auto method = Client().Ask(Get("/v1/track"));
  EXPECT_EQ(method.status, 405);
  EXPECT_EQ(method.Header("Allow"), "POST, OPTIONS");
  EXPECT_EQ(Client().Ask(Post("/v1/track?format=tiff", "GIF89aa")).status, 400);
  EXPECT_EQ(Client().Ask(Post("/v1/track", "")).status, 400);
  EXPECT_EQ(Client().Ask(Post("/v1/track", "no picture")).status, 415);
  EXPECT_EQ(Client().Ask(Post("/v1/track", "GIF89aerror bad")).status, 422);
  EXPECT_EQ(Client().Ask(Get("/v1/live")).status, 426);
}

TEST_F(ServerTest, TracksEachFileOfAForm) {
  Start();
  const std::string type = "Content-Type: multipart/form-data; boundary=b\r\n";
  const auto file = [](std::string_view bytes) {
    return fmt::format(
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n{}\r\n", bytes);
  };
  EXPECT_EQ(Client().Ask(Post("/v1/track", file("GIF89a}1{") + "--b--", type)).body, "{1}");
  const auto answer = Client().Ask(
      Post("/v1/track", file("GIF89a}1{") + file("text") + file("GIF89aerror e") + "--b--", type));
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body,
              testing::MatchesRegex(
                  R"(\[\{1\},\{.*"status":415,.*"frame":1\},\{.*"status":422,.*"frame":2\}\])"));
  EXPECT_EQ(
      Client()
          .Ask(Post("/v1/track?format=svg", file("GIF89aa") + file("GIF89ab") + "--b--", type))
          .status,
      400);
}

TEST_F(ServerTest, GivesOnlyTheHeadToAHead) {
  Start();
  TestClient client = Client();
  client.Send("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto head = client.Receive(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Length"), "15");
  EXPECT_EQ(client.Ask(Get("/readyz")).body, R"({"status":"ready"})");
}

TEST_F(ServerTest, ShowsThePageAndSaysWhenItHasNotChanged) {
  Start();
  const auto page = Client().Ask(Get("/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.Header("Content-Security-Policy"), HasSubstr("script-src 'self'"));
  const auto again =
      Client().Ask(Get("/", fmt::format("If-None-Match: {}\r\n", page.Header("ETag"))));
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
}

TEST_F(ServerTest, CountsForPrometheus) {
  Start();
  EXPECT_EQ(Client().Ask(Get("/healthz")).status, 200);
  const auto answer = Client().Ask(Get("/metrics"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("/healthz"));
}

TEST_F(ServerTest, SendsEventsAsTheyHappen) {
  Start();
  TestClient client = Client();
  client.Send(Get("/v1/events"));
  EXPECT_EQ(client.Receive(true).Header("Content-Type"), "text/event-stream");
  ::kill(std::exchange(worker_, 0), SIGKILL);
  while (client.unread().find("crashed") == std::string::npos &&
         client.unread().find("killed") == std::string::npos) {
    ASSERT_TRUE(client.More()) << client.unread();
  }
  EXPECT_THAT(client.unread(), HasSubstr("data: {\"uptime_s\":"));
}

TEST_F(ServerTest, FinishesWhatIsOnTheWayWhenItStops) {
  Start();
  FreezeWorker();
  TestClient working = Client(), idle = Client();
  EXPECT_EQ(idle.Ask(Get("/healthz")).status, 200);
  working.Send(Post("/v1/track", "GIF89ahello"));
  ASSERT_TRUE(Becomes([&] { return Status().find("\"busy\"") != std::string::npos; }));
  server_->Stop();
  EXPECT_TRUE(idle.IsClosed());
  EXPECT_FALSE(ended_);
  ThawWorker();
  const auto answer = working.Receive();
  EXPECT_EQ(answer.body, "olleh");
  EXPECT_EQ(answer.Header("Connection"), "close");
  working.Close();
  EXPECT_TRUE(Becomes([&] { return ended_.load(); }));
}

TEST_F(ServerTest, LogsEachRequest) {
  Start();
  Client().Ask(Get("/v1/nothing?secret"));
  StopServer();
  EXPECT_EQ(log_, "GET /v1/nothing 404\n");
}

}  // namespace
}  // namespace holostat::server
