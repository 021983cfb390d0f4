#include "pipeline/session_states.h"

#include <gtest/gtest.h>

#include "base/heap_calls.h"

namespace holostat::pipeline {
namespace {

using std::chrono::microseconds;

constexpr vision::ImageSize kImage{640, 480};

// Leaves a body behind, so that the state is told from a new one.
void LeaveTrace(vision::TrackState& state, microseconds time) {
  ASSERT_TRUE(state.Begin(time, kImage));
  vision::Pose pose;
  pose.anchors = {{{0.5f, 0.5f}, {0.5f, 0.2f}}};
  state.FollowBody(pose, {});
}

bool HasTrace(const vision::TrackState& state) { return state.body().has_value(); }

class SessionStatesTest : public ::testing::Test {
 protected:
  void LeaveTraceIn(std::uint64_t session) {
    LeaveTrace(states_.Of(session), microseconds(++frames_));
  }
  ManualClock clock_;
  SessionStates states_{clock_};
  int frames_ = 0;
};

TEST_F(SessionStatesTest, EachSessionHasItsOwnState) {
  LeaveTraceIn(7);
  EXPECT_FALSE(HasTrace(states_.Of(8)));
  EXPECT_TRUE(HasTrace(states_.Of(7)));
}

TEST_F(SessionStatesTest, ASessionIsForgottenWhenItPauses) {
  LeaveTraceIn(7);
  clock_.Advance(SessionStates::kIdle - std::chrono::seconds(1));
  EXPECT_TRUE(HasTrace(states_.Of(7)));
  clock_.Advance(SessionStates::kIdle - std::chrono::seconds(1));
  EXPECT_TRUE(HasTrace(states_.Of(7))) << "its last frame counts, not its first";
  clock_.Advance(SessionStates::kIdle);
  states_.ExpireNow();
  EXPECT_EQ(states_.size(), 0u);
  EXPECT_FALSE(HasTrace(states_.Of(7)));
}

TEST_F(SessionStatesTest, OfTooManyTheOneThatWaitedLongestIsForgotten) {
  for (std::uint64_t session = 1; session <= SessionStates::kMost; ++session) LeaveTraceIn(session);
  LeaveTraceIn(1);
  LeaveTraceIn(1000);
  EXPECT_EQ(states_.size(), SessionStates::kMost);
  EXPECT_TRUE(HasTrace(states_.Of(1)));
  EXPECT_TRUE(HasTrace(states_.Of(1000)));
  EXPECT_FALSE(HasTrace(states_.Of(2)));
}

TEST_F(SessionStatesTest, AKnownSessionMakesNoHeapCall) {
  states_.Of(7);
  states_.Of(8);
  const auto before = HeapCalls();
  for (int i = 0; i < 10; ++i) {
    states_.Of(7);
    states_.Of(8);
  }
  EXPECT_EQ(HeapCalls() - before, 0u);
}

}  // namespace
}  // namespace holostat::pipeline
