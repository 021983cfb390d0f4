#include "runtime/restart_policy.h"

#include <gtest/gtest.h>

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;

class RestartPolicyTest : public testing::Test {
 protected:
  milliseconds DelayAfterFailure() {
    policy_.Failed(clock_.Now());
    return std::chrono::duration_cast<milliseconds>(policy_.MayStartAt() - clock_.Now());
  }
  ManualClock clock_;
  RestartPolicy policy_{{.free_failures = 2, .give_up_after = 6}};
};

TEST_F(RestartPolicyTest, StartsAtOnceAfterTheFirstFailures) {
  EXPECT_EQ(DelayAfterFailure(), milliseconds(0));
  EXPECT_EQ(DelayAfterFailure(), milliseconds(0));
}

TEST_F(RestartPolicyTest, DoublesTheDelayUpToItsLimit) {
  DelayAfterFailure();
  DelayAfterFailure();
  EXPECT_EQ(DelayAfterFailure(), milliseconds(50));
  EXPECT_EQ(DelayAfterFailure(), milliseconds(100));
  for (int i = 0; i < 100; ++i) DelayAfterFailure();
  EXPECT_EQ(DelayAfterFailure(), milliseconds(5000));
}

TEST_F(RestartPolicyTest, ForgetsFailuresAfterASuccess) {
  for (int i = 0; i < 5; ++i) DelayAfterFailure();
  policy_.Succeeded();
  EXPECT_EQ(DelayAfterFailure(), milliseconds(0));
}

TEST_F(RestartPolicyTest, GivesUpAfterManyFailuresInARow) {
  for (int i = 0; i < 5; ++i) DelayAfterFailure();
  EXPECT_FALSE(policy_.GaveUp());
  DelayAfterFailure();
  EXPECT_TRUE(policy_.GaveUp());
}

}  // namespace
}  // namespace holostat::runtime
