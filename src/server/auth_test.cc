#include "server/auth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holostat::server {
namespace {

TEST(Auth, LetsInWhoHasTheToken) {
  EXPECT_TRUE(IsAuthorized("Bearer secret", "secret"));
  EXPECT_TRUE(IsAuthorized("bearer secret", "secret"));
  EXPECT_TRUE(IsAuthorized("", ""));
}

TEST(Auth, KeepsOutWhoHasAnotherOne) {
  for (const char* given : {"", "secret", "Bearer", "Bearer ", "Bearer secre", "Bearer secret2",
                            "Bearer  secret", "Basic secret"})
    EXPECT_FALSE(IsAuthorized(given, "secret")) << given;
}

TEST(Auth, TrustsPagesOfTheSameHostAndNamedOnes) {
  RequestHead head;
  head.host = "example.org:8080";
  EXPECT_TRUE(IsOriginTrusted(head, {}));
  head.origin = "https://example.org:8080";
  EXPECT_TRUE(IsOriginTrusted(head, {}));
  head.origin = "https://evil.example";
  EXPECT_FALSE(IsOriginTrusted(head, {}));
  EXPECT_TRUE(IsOriginTrusted(head, {"https://evil.example"}));
}

TEST(Auth, RefusesToBeReachedByOthersUnasked) {
  ServerOptions options;
  EXPECT_TRUE(CheckExposure(options));
  options.address = "0.0.0.0";
  const auto refused = CheckExposure(options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("--token-file"));
  options.token = "secret";
  EXPECT_TRUE(CheckExposure(options));
  options.token.clear();
  options.insecure = true;
  EXPECT_TRUE(CheckExposure(options));
}

}  // namespace
}  // namespace holostat::server
