#include "runtime/signal_watch.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <vector>

namespace holostat::runtime {
namespace {

class SignalWatchTest : public testing::Test {
 protected:
  static bool IsBlocked(int signal) {
    sigset_t now;
    ::sigemptyset(&now);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return ::sigismember(&now, signal) == 1;
  }

  ManualClock clock_;
  std::unique_ptr<EventLoop> loop_ = EventLoop::Create(clock_).value();
  std::vector<int> seen_;
  std::unique_ptr<SignalWatch> watch_ =
      SignalWatch::Create(*loop_, {SIGUSR1, SIGUSR2}, [this](int one) {
        seen_.push_back(one);
      }).value();
};

TEST_F(SignalWatchTest, TellsSignalsInTheLoopAndNowhereElse) {
  ::raise(SIGUSR1);
  ::raise(SIGUSR2);
  EXPECT_TRUE(seen_.empty());
  while (loop_->Step() > 0) continue;
  EXPECT_EQ(seen_, (std::vector{SIGUSR1, SIGUSR2}));
}

TEST_F(SignalWatchTest, LeavesTheMaskAsItWas) {
  EXPECT_TRUE(IsBlocked(SIGUSR1));
  EXPECT_FALSE(IsBlocked(SIGHUP));
  watch_.reset();
  EXPECT_FALSE(IsBlocked(SIGUSR1));
}

TEST_F(SignalWatchTest, MayBeDestroyedByWhatItCalls) {
  watch_.reset();
  watch_ = SignalWatch::Create(*loop_, {SIGUSR1, SIGHUP}, [this](int) { watch_.reset(); }).value();
  ::raise(SIGUSR1);
  EXPECT_EQ(loop_->Step(), 1u);
  EXPECT_EQ(loop_->Step(), 0u);
}

}  // namespace
}  // namespace holostat::runtime
