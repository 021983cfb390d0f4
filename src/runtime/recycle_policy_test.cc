#include "runtime/recycle_policy.h"

#include <gtest/gtest.h>

#include <set>

namespace holostat::runtime {
namespace {

using std::chrono::seconds;

constexpr RecyclePolicy::Options kOptions{.max_requests = 1000,
                                          .max_age = seconds(3600),
                                          .jitter = 0.2,
                                          .max_uss_bytes = 1u << 20,
                                          .max_extra_fds = 4};

// The first request count at which a worker leaves.
std::uint64_t LeavesAt(std::uint32_t id) {
  const RecyclePolicy policy(kOptions);
  std::uint64_t requests = 0;
  while (!policy.Check({.worker_id = id, .requests = requests})) ++requests;
  return requests;
}

TEST(RecyclePolicy, KeepsAWorkerWithinAllLimits) {
  EXPECT_FALSE(RecyclePolicy(kOptions).Check({.worker_id = 1,
                                              .requests = 799,
                                              .age = seconds(2879),
                                              .uss_bytes = (1u << 20) - 1,
                                              .extra_fds = 3}));
}

TEST(RecyclePolicy, NamesTheLimitThatWasReached) {
  const RecyclePolicy policy(kOptions);
  EXPECT_EQ(policy.Check({.requests = 1000}), RetireReason::kRequests);
  EXPECT_EQ(policy.Check({.age = seconds(3600)}), RetireReason::kAge);
  EXPECT_EQ(policy.Check({.uss_bytes = 1u << 20}), RetireReason::kMemory);
  EXPECT_EQ(policy.Check({.extra_fds = 4}), RetireReason::kDescriptors);
}

TEST(RecyclePolicy, SpreadsWorkersThatStartedTogether) {
  std::set<std::uint64_t> counts;
  for (std::uint32_t id = 1; id <= 8; ++id) {
    counts.insert(LeavesAt(id));
    EXPECT_GE(LeavesAt(id), 800u);
    EXPECT_LE(LeavesAt(id), 1000u);
  }
  EXPECT_EQ(counts.size(), 8u);
}

TEST(RecyclePolicy, ZeroIsNoLimit) {
  const RecyclePolicy policy(
      {.max_requests = 0, .max_age = seconds(0), .max_uss_bytes = 0, .max_extra_fds = 0});
  EXPECT_FALSE(policy.Check({.requests = 1u << 30,
                             .age = seconds(1u << 30),
                             .uss_bytes = 1ull << 40,
                             .extra_fds = 1u << 20}));
}

}  // namespace
}  // namespace holostat::runtime
