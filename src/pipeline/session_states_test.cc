#include "pipeline/session_states.h"

#include <gtest/gtest.h>

#include "base/heap_calls.h"

namespace holostat::pipeline {
namespace {

using std::chrono::microseconds;

constexpr vision::ImageSize kImage{640, 480};

// Leaves somebody behind, so that the state is told from a new one.
void LeaveTrace(vision::PeopleState& state, microseconds time) {
  ASSERT_TRUE(state.Begin(time, kImage, 1));
  if (!state.IsFollowed(0)) state.Take({});
}

bool HasTrace(const vision::PeopleState& state) { return state.IsFollowed(0); }

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
  for (std::uint64_t session = 1; session <= SessionStates::kMostPeople; ++session)
    LeaveTraceIn(session);
  LeaveTraceIn(1);
  LeaveTraceIn(1000);
  EXPECT_EQ(states_.size(), SessionStates::kMostPeople);
  EXPECT_TRUE(HasTrace(states_.Of(1)));
  EXPECT_TRUE(HasTrace(states_.Of(1000)));
  EXPECT_FALSE(HasTrace(states_.Of(2)));
}

TEST_F(SessionStatesTest, ASessionCountsAsThePeopleItAskedFor) {
  for (std::uint64_t session = 1; session <= SessionStates::kMostPeople; ++session)
    LeaveTraceIn(session);
  EXPECT_EQ(states_.Of(1000, 8).capacity(), 8u);
  EXPECT_EQ(states_.size(), SessionStates::kMostPeople - 7);
  EXPECT_FALSE(HasTrace(states_.Of(8)));
  EXPECT_TRUE(HasTrace(states_.Of(10)));
}

TEST_F(SessionStatesTest, ASessionThatAsksForMoreKeepsWhomItFollows) {
  LeaveTraceIn(7);
  vision::PeopleState& state = states_.Of(7, 3);
  EXPECT_TRUE(HasTrace(state));
  EXPECT_EQ(state.capacity(), 3u);
  EXPECT_EQ(states_.Of(7, 1).capacity(), 3u);
}

TEST_F(SessionStatesTest, AKnownSessionMakesNoHeapCall) {
  states_.Of(7, 4);
  states_.Of(8);
  const auto before = HeapCalls();
  for (int i = 0; i < 10; ++i) {
    states_.Of(7, 4);
    states_.Of(8);
  }
  EXPECT_EQ(HeapCalls() - before, 0u);
}

}  // namespace
}  // namespace holostat::pipeline
