#include "runtime/event_loop.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  UniqueFd read, write;
};

class EventLoopTest : public testing::Test {
 protected:
  ManualClock clock_;
  std::unique_ptr<EventLoop> loop_ = EventLoop::Create(clock_).value();
};

TEST_F(EventLoopTest, CallsWhenADescriptorIsReadyUntilTheHandleGoes) {
  Pipe pipe;
  int calls = 0;
  auto handle = loop_->Watch(pipe.read.get(), EPOLLIN, [&](std::uint32_t) { ++calls; }).value();
  EXPECT_EQ(loop_->Step(), 0u);
  ASSERT_EQ(::write(pipe.write.get(), "x", 1), 1);
  EXPECT_EQ(loop_->Step(), 1u);
  handle.reset();
  EXPECT_EQ(loop_->Step(), 0u);
  EXPECT_EQ(calls, 1);
}

TEST_F(EventLoopTest, RunsTimersInOrderOfTheirTime) {
  std::vector<int> order;
  auto late = loop_->After(milliseconds(20), [&] { order.push_back(2); });
  auto early = loop_->After(milliseconds(10), [&] { order.push_back(1); });
  loop_->Step();
  EXPECT_TRUE(order.empty());
  clock_.Advance(milliseconds(30));
  EXPECT_EQ(loop_->Step(), 2u);
  EXPECT_EQ(order, (std::vector{1, 2}));
  EXPECT_EQ(loop_->Step(), 0u) << "a timer runs once";
}

TEST_F(EventLoopTest, RepeatsAPeriodicTimerWithoutMakingUpForMissedTimes) {
  int calls = 0;
  auto handle = loop_->Every(milliseconds(10), [&] { ++calls; });
  clock_.Advance(milliseconds(1000));
  loop_->Step();
  EXPECT_EQ(calls, 1);
  clock_.Advance(milliseconds(10));
  loop_->Step();
  EXPECT_EQ(calls, 2);
  handle.reset();
  clock_.Advance(milliseconds(10));
  loop_->Step();
  EXPECT_EQ(calls, 2);
}

TEST_F(EventLoopTest, LetsACallbackRemoveItselfAndOthers) {
  Pipe a, b;
  int calls = 0;
  EventLoop::Handle first, second, timer;
  const auto remove_all = [&](std::uint32_t) {
    ++calls;
    first.reset();
    second.reset();
    timer.reset();
  };
  first = loop_->Watch(a.read.get(), EPOLLIN, remove_all).value();
  second = loop_->Watch(b.read.get(), EPOLLIN, remove_all).value();
  timer = loop_->Every(milliseconds(1), [&] { remove_all(0); });
  ASSERT_EQ(::write(a.write.get(), "x", 1), 1);
  ASSERT_EQ(::write(b.write.get(), "x", 1), 1);
  clock_.Advance(milliseconds(1));
  loop_->Step();
  EXPECT_EQ(calls, 1);
}

TEST_F(EventLoopTest, WhatIsReadyComesBeforeWhatIsDue) {
  Pipe pipe;
  std::string order;
  EventLoop::Handle deadline;
  const auto answer = loop_->Watch(pipe.read.get(), EPOLLIN, [&](std::uint32_t) {
    order += "answer ";
    deadline.reset();
  });
  deadline = loop_->After(milliseconds(1), [&] { order += "deadline "; });
  ASSERT_EQ(::write(pipe.write.get(), "x", 1), 1);
  clock_.Advance(milliseconds(1000));
  loop_->Step();
  EXPECT_EQ(order, "answer ");
}

TEST_F(EventLoopTest, ATimerThatAddsOneForNowDoesNotHoldTheStepForever) {
  EventLoop::Handle handle;
  int calls = 0;
  std::function<void()> again = [&] {
    ++calls;
    handle = loop_->After(milliseconds(0), again);
  };
  handle = loop_->After(milliseconds(0), again);
  loop_->Step();
  EXPECT_EQ(calls, 1);
  loop_->Step();
  EXPECT_EQ(calls, 2);
}

TEST_F(EventLoopTest, ItsDescriptorIsReadableWhenATimerIsDue) {
  SystemClock clock;
  auto loop = EventLoop::Create(clock).value();
  pollfd poll{loop->fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&poll, 1, 0), 0);
  bool called = false;
  auto handle = loop->After(milliseconds(1), [&] { called = true; });
  EXPECT_EQ(::poll(&poll, 1, 10000), 1);
  loop->Step();
  EXPECT_TRUE(called);
  EXPECT_EQ(::poll(&poll, 1, 0), 0);
}

TEST_F(EventLoopTest, AHandleMayOutliveTheLoop) {
  auto handle = loop_->After(milliseconds(1), [] {});
  loop_.reset();
  handle.reset();
}

}  // namespace
}  // namespace holostat::runtime
