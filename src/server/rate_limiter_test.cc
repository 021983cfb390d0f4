#include "server/rate_limiter.h"

#include <gtest/gtest.h>

namespace holostat::server {
namespace {

TEST(RateLimiter, LetsABurstThroughAndThenOneAtATime) {
  ManualClock clock;
  RateLimiter limiter(clock, {.per_second = 2, .burst = 3, .clients = 8});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.Take("a").count(), 0);
  EXPECT_NEAR(static_cast<double>(limiter.Take("a").count()), 5e8, 1e6);
  clock.Advance(std::chrono::milliseconds(501));
  EXPECT_EQ(limiter.Take("a").count(), 0);
  EXPECT_GT(limiter.Take("a").count(), 0);
}

TEST(RateLimiter, CountsEachClientByItself) {
  ManualClock clock;
  RateLimiter limiter(clock, {.per_second = 1, .burst = 1, .clients = 8});
  EXPECT_EQ(limiter.Take("a").count(), 0);
  EXPECT_EQ(limiter.Take("b").count(), 0);
  EXPECT_GT(limiter.Take("a").count(), 0);
}

}  // namespace
}  // namespace holostat::server
