#include "server/server.h"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace holostat::server
