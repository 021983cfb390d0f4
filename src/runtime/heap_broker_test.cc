#include "runtime/heap_broker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <vector>

namespace holostat::runtime {
namespace {

constexpr std::int64_t kPid = 100, kOther = 200;

class HeapBrokerTest : public testing::Test {
 protected:
  HeapBroker::Target Target(std::int64_t pid = kPid) {
    return {[this](const ipc::Message& message, std::span<const int> fds) -> Result<void> {
              if (refuse_) return Fail(ErrorCode::kOverloaded, "it does not read");
              commands_.push_back(std::get<ipc::HeapCommand>(message));
              dump_.reset(fds.empty() ? -1 : ::dup(fds[0]));
              return {};
            },
            pid, "worker 1"};
  }
  void Ask(HeapRequest::Action action, std::int64_t pid = kPid) {
    broker_.Ask(Target(pid), {.action = action}, [this](Result<std::string> answer) {
      ++answers_;
      last_ = std::move(answer);
    });
  }
  ErrorCode LastError() const { return last_ && !*last_ ? last_->error().code : ErrorCode{}; }

  ManualClock clock_;
  std::unique_ptr<EventLoop> loop_ = EventLoop::Create(clock_).value();
  HeapBroker broker_{*loop_};
  bool refuse_ = false;
  std::vector<ipc::HeapCommand> commands_;
  UniqueFd dump_;
  int answers_ = 0;
  std::optional<Result<std::string>> last_;
};

using Action = HeapRequest::Action;

TEST_F(HeapBrokerTest, GivesTheAnswerOfTheOneThatWasAsked) {
  Ask(Action::kStart);
  EXPECT_EQ(answers_, 0);
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id});
  EXPECT_EQ(answers_, 1);
  EXPECT_TRUE(last_->has_value());
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id});
  EXPECT_EQ(answers_, 1) << "once";
}

TEST_F(HeapBrokerTest, TakesNoAnswerFromAnotherProcess) {
  Ask(Action::kStart);
  broker_.OnHeapDone(kOther, {.command_id = commands_[0].command_id});
  EXPECT_EQ(answers_, 0);
}

TEST_F(HeapBrokerTest, PassesOnWhyItFailed) {
  Ask(Action::kStart);
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id,
                            .error = static_cast<std::uint8_t>(ErrorCode::kUnsupported),
                            .text = "no profiler"});
  EXPECT_EQ(LastError(), ErrorCode::kUnsupported);
  EXPECT_EQ(last_->error().message, "no profiler");
}

TEST_F(HeapBrokerTest, RefusesADumpThatIsNone) {
  Ask(Action::kDump);
  ASSERT_TRUE(dump_);
  ASSERT_EQ(::write(dump_.get(), "nonsense", 8), 8);
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id});
  EXPECT_EQ(answers_, 1);
  EXPECT_FALSE(last_->has_value());
}

TEST_F(HeapBrokerTest, RefusesADumpThatIsTooLarge) {
  Ask(Action::kDump);
  ASSERT_EQ(::ftruncate(dump_.get(), (off_t{64} << 20) + 1), 0);
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id});
  EXPECT_EQ(LastError(), ErrorCode::kLimitExceeded);
}

TEST_F(HeapBrokerTest, DoesNotWaitForEver) {
  Ask(Action::kStart);
  clock_.Advance(HeapBroker::kPatience);
  loop_->Step();
  EXPECT_EQ(LastError(), ErrorCode::kTimeout);
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id});
  EXPECT_EQ(answers_, 1) << "too late";
}

TEST_F(HeapBrokerTest, DoesNotWaitForWhatHasEnded) {
  Ask(Action::kStart);
  Ask(Action::kStart);
  Ask(Action::kStart, kOther);
  broker_.OnGone(kPid);
  EXPECT_EQ(answers_, 2);
  EXPECT_EQ(LastError(), ErrorCode::kUnavailable);
}

TEST_F(HeapBrokerTest, SaysAtOnceWhenItCannotAsk) {
  refuse_ = true;
  Ask(Action::kDump);
  EXPECT_EQ(answers_, 1);
  EXPECT_EQ(LastError(), ErrorCode::kOverloaded);
}

TEST_F(HeapBrokerTest, RefusesMoreThanItHasRoomFor) {
  for (std::size_t i = 0; i < HeapBroker::kMaxPending; ++i) Ask(Action::kStart);
  EXPECT_EQ(answers_, 0);
  Ask(Action::kStart);
  EXPECT_EQ(answers_, 1);
  EXPECT_EQ(LastError(), ErrorCode::kOverloaded);
  broker_.OnHeapDone(kPid, {.command_id = commands_[0].command_id});
  Ask(Action::kStart);
  EXPECT_EQ(answers_, 2) << "there is room again";
}

}  // namespace
}  // namespace holostat::runtime
