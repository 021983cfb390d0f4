#include "vision/people_state.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::vision {
namespace {

using std::chrono::microseconds;

constexpr ImageSize kImage{1000, 500};
constexpr microseconds kFrame{40000};

// Invented people, each a place or nothing a frame; what MultiTracker asks of a PeopleState is
// asked here, with these instead of models.
class Stage {
 public:
  explicit Stage(std::size_t people) : state_({}, people), most_(people) {}

  using Seen = std::map<char, BodyPlace>;  // who can be seen, by a name that only the test knows

  // A frame. Who has which id.
  std::map<char, int> Show(const Seen& seen) {
    ++frame_;
    EXPECT_TRUE(state_.Begin(frame_ * kFrame, kImage, most_));
    for (std::size_t slot = 0; slot < state_.capacity(); ++slot) {
      if (state_.IsFollowed(slot) && !seen.contains(who_[slot])) state_.Lose(slot);
    }
    detects_ = state_.WantsDetection();
    if (detects_) {
      state_.Detected();
      for (const auto& [name, place] : seen) Find(name, place);
    }
    std::map<char, int> ids;
    for (std::size_t slot = 0; slot < state_.capacity(); ++slot) {
      if (!state_.IsFollowed(slot)) continue;
      state_.Place(slot, seen.at(who_[slot]));
      ids[who_[slot]] = state_.id(slot);
    }
    return ids;
  }

  bool detects() const { return detects_; }
  PeopleState& state() { return state_; }
  microseconds now() const { return frame_ * kFrame; }

 private:
  void Find(char name, const BodyPlace& place) {
    std::size_t followed = 0;
    for (std::size_t slot = 0; slot < state_.capacity(); ++slot) {
      if (!state_.IsFollowed(slot)) continue;
      ++followed;
      if (who_[slot] == name) return;
    }
    if (followed < state_.most()) who_[state_.Take(place)] = name;
  }

  PeopleState state_;
  std::size_t most_;
  std::map<std::size_t, char> who_;
  int frame_ = 0;
  bool detects_ = false;
};

BodyPlace At(float x, float y = 250) { return {{x, y}, 100}; }

using Ids = std::map<char, int>;

TEST(Motion, GoesOnAsItDid) {
  Motion motion;
  motion.Start(kFrame, At(100));
  for (int i = 2; i <= 50; ++i) motion.Add(i * kFrame, At(100.0f + 4 * static_cast<float>(i)));
  EXPECT_NEAR(motion.At(55 * kFrame).hips.x, 320, 1);
  const float after_a_second = motion.At(75 * kFrame).hips.x;
  EXPECT_NEAR(after_a_second, 400, 3);
  EXPECT_EQ(motion.At(std::chrono::hours(1)).hips.x, after_a_second) << "but not for ever";
}

TEST(Motion, ForgetsTheMomentInWhichItWasTakenAlong) {
  Motion motion;
  motion.Start(kFrame, At(500));
  for (int i = 2; i <= 40; ++i) motion.Add(i * kFrame, At(500));
  for (int i = 1; i <= 5; ++i)
    motion.Add((40 + i) * kFrame, At(500.0f + 10 * static_cast<float>(i)));
  EXPECT_NEAR(motion.At(50 * kFrame).hips.x, 500, 1);
}

TEST(PeopleState, IdsCountFromOneAndStayWhilePeopleMove) {
  Stage stage(3);
  for (int i = 0; i < 50; ++i) {
    const float x = static_cast<float>(i);
    EXPECT_EQ(stage.Show({{'a', At(100 + x)}, {'b', At(500 - 3 * x)}, {'c', At(900)}}),
              (Ids{{'a', 1}, {'b', 2}, {'c', 3}}));
  }
}

TEST(PeopleState, WhoEntersGetsANewIdWithinAPeriod) {
  Stage stage(3);
  stage.Show({{'a', At(100)}});
  int frames = 0;
  Ids ids;
  for (; ids.size() < 2 && frames < 20; ++frames)
    ids = stage.Show({{'a', At(100)}, {'b', At(500)}});
  EXPECT_EQ(ids, (Ids{{'a', 1}, {'b', 2}}));
  EXPECT_EQ(frames, 5);
}

TEST(PeopleState, DetectsOnlyWhenSomebodyMayBeMissing) {
  Stage stage(2);
  std::vector<bool> detects;
  const auto show = [&](const Stage::Seen& seen) {
    stage.Show(seen);
    detects.push_back(stage.detects());
  };
  show({});                                // nobody: look in each frame
  show({{'a', At(100)}});                  // still nobody at its begin
  show({{'a', At(100)}});                  // one of two
  show({{'a', At(100)}, {'b', At(500)}});  // the same
  EXPECT_EQ(detects, (std::vector<bool>{true, true, false, false}));
  while (!stage.detects()) stage.Show({{'a', At(100)}, {'b', At(500)}});
  for (int i = 0; i < 10; ++i) {
    stage.Show({{'a', At(100)}, {'b', At(500)}});
    EXPECT_FALSE(stage.detects()) << "all are there";
  }
  stage.Show({{'a', At(100)}});
  EXPECT_FALSE(stage.detects()) << "lost in this frame";
  stage.Show({{'a', At(100)}});
  EXPECT_TRUE(stage.detects()) << "at once in the next";
}

TEST(PeopleState, WhoIsBackWithinTheGraceIsTheSame) {
  Stage stage(2);
  for (int i = 0; i < 10; ++i)
    stage.Show({{'a', At(100)}, {'b', At(500 + 5 * static_cast<float>(i))}});
  for (int i = 0; i < 10; ++i) stage.Show({{'a', At(100)}});
  Ids ids;
  for (int i = 0; i < 5; ++i)
    ids = stage.Show({{'a', At(100)}, {'b', At(600 + 5 * static_cast<float>(i))}});
  EXPECT_EQ(ids, (Ids{{'a', 1}, {'b', 2}}));
}

TEST(PeopleState, WhoComesFarFromWhereSomebodyWasLostIsNew) {
  Stage stage(2);
  stage.Show({{'a', At(100)}, {'b', At(500)}});
  stage.Show({{'a', At(100)}});
  const Ids ids = stage.Show({{'a', At(100)}, {'c', At(900)}});
  EXPECT_EQ(ids, (Ids{{'a', 1}, {'c', 3}}));
}

TEST(PeopleState, AnIdIsNeverAnothersAfterItsGrace) {
  Stage stage(2);
  stage.Show({{'a', At(100)}, {'b', At(500)}});
  for (int i = 0; i < 30; ++i) stage.Show({{'a', At(100)}});
  Ids ids;
  for (int i = 0; i < 5; ++i) ids = stage.Show({{'a', At(100)}, {'c', At(500)}});
  EXPECT_EQ(ids, (Ids{{'a', 1}, {'c', 3}}));
}

// Each is hidden behind the other for a moment; both keep walking.
TEST(PeopleState, WhoIsHiddenInPassingKeepsTheirId) {
  Stage stage(2);
  Ids ids;
  for (int i = 0; i < 60; ++i) {
    const float x = 10 * static_cast<float>(i);
    Stage::Seen seen{{'a', At(200 + x)}};
    const bool is_hidden = i > 26 && i < 34;
    if (!is_hidden) seen['b'] = At(800 - x);
    ids = stage.Show(seen);
    EXPECT_EQ(ids['a'], 1);
  }
  EXPECT_EQ(ids, (Ids{{'a', 1}, {'b', 2}}));
}

TEST(PeopleState, OfTwoLostTheNearerToWhereTheyShouldBeIsBack) {
  Stage stage(3);
  stage.Show({{'a', At(100)}, {'b', At(500)}, {'c', At(560)}});
  stage.Show({{'a', At(100)}});
  const Ids ids = stage.Show({{'a', At(100)}, {'c', At(550)}});
  EXPECT_EQ(ids, (Ids{{'a', 1}, {'c', 3}}));
}

TEST(PeopleState, OfTwoOnOneBodyTheOneThatJumpedIsMistaken) {
  Stage stage(2);
  for (int i = 0; i < 40; ++i)
    stage.Show({{'a', At(60 + 8 * static_cast<float>(i))}, {'b', At(450)}});
  PeopleState& state = stage.state();
  ASSERT_TRUE(state.Begin(stage.now() + kFrame, kImage, 2));
  EXPECT_EQ(state.Mistaken(0, At(440), 1, At(450)), 0u) << "it was to be at 380";
  EXPECT_EQ(state.Mistaken(1, At(390), 0, At(380)), 1u) << "it stood at 450";
}

TEST(PeopleState, OfTwoOnOneBodyWithNoTellingTheOlderStays) {
  Stage stage(2);
  stage.Show({{'a', At(300)}, {'b', At(310)}});
  PeopleState& state = stage.state();
  ASSERT_TRUE(state.Begin(stage.now() + kFrame, kImage, 2));
  EXPECT_EQ(state.Mistaken(0, At(306), 1, At(305)), 1u);
  EXPECT_EQ(state.Mistaken(1, At(305), 0, At(306)), 1u);
}

TEST(PeopleState, WhoIsLostIsLookedForWhereTheyShouldBe) {
  PeopleState state({}, 2);
  for (int i = 1; i <= 40; ++i) {
    ASSERT_TRUE(state.Begin(i * kFrame, kImage, 2));
    const BodyPlace place = At(200 + 10 * static_cast<float>(i));
    if (i == 1) state.Take(place);
    state.Place(0, place);
    Pose pose;
    pose.anchors = {{{place.hips.x / 1000, 0.5f, 0, 1, 1}, {place.hips.x / 1000, 0.3f, 0, 1, 1}}};
    state.track(0).FollowBody(pose, {});
  }
  ASSERT_TRUE(state.Begin(41 * kFrame, kImage, 2));
  EXPECT_FALSE(state.WhereLost(0)) << "still followed";
  const float before = state.track(0).body()->x_center;
  state.Lose(0);
  ASSERT_TRUE(state.Begin(45 * kFrame, kImage, 2));
  ASSERT_TRUE(state.WhereLost(0));
  EXPECT_NEAR(state.WhereLost(0)->x_center, before + 0.05f, 0.02f);
  EXPECT_FALSE(state.WhereLost(1)) << "of nobody";
  EXPECT_FALSE(state.Retake(0, At(900))) << "somebody else";
  EXPECT_TRUE(state.Retake(0, At(655)));
  EXPECT_TRUE(state.IsFollowed(0));
  EXPECT_EQ(state.id(0), 1);
  state.Lose(0);
  ASSERT_TRUE(state.Begin(75 * kFrame, kImage, 2));
  EXPECT_FALSE(state.WhereLost(0)) << "too long ago";
}

TEST(PeopleState, WhoHasLeftThePictureIsNotLookedFor) {
  Stage stage(2);
  for (int i = 0; i < 40; ++i) stage.Show({{'a', At(530 + 12 * static_cast<float>(i))}});
  stage.Show({});
  EXPECT_FALSE(stage.state().WhereLost(0));
}

TEST(PeopleState, ANewPersonTakesTheSlotOfWhoIsLostForLongest) {
  Stage stage(2);
  stage.Show({{'a', At(100)}, {'b', At(500)}});
  stage.Show({{'b', At(500)}});
  for (int i = 0; i < 5; ++i) stage.Show({});
  Ids ids = stage.Show({{'c', At(900)}});
  EXPECT_EQ(ids, (Ids{{'c', 3}}));
  ids = stage.Show({{'c', At(900)}});
  for (int i = 0; i < 5; ++i) ids = stage.Show({{'b', At(500)}, {'c', At(900)}});
  EXPECT_EQ(ids, (Ids{{'b', 2}, {'c', 3}})) << "a was forgotten, not b";
}

TEST(PeopleState, AlonePeopleShareAnId) {
  Stage stage(1);
  EXPECT_EQ(stage.Show({{'a', At(100)}}), (Ids{{'a', 1}}));
  for (int i = 0; i < 50; ++i) stage.Show({});
  EXPECT_EQ(stage.Show({{'b', At(900)}}), (Ids{{'b', 1}}));
}

TEST(PeopleState, FollowsNoMoreThanAskedFor) {
  PeopleState state({}, 3);
  ASSERT_TRUE(state.Begin(kFrame, kImage, 3));
  for (const float x : {100.0f, 500.0f, 900.0f}) state.Take(At(x));
  ASSERT_TRUE(state.Begin(2 * kFrame, kImage, 2));
  EXPECT_EQ(state.most(), 2u);
  EXPECT_TRUE(state.IsFollowed(0) && state.IsFollowed(1));
  EXPECT_FALSE(state.IsFollowed(2)) << "the latest leaves";
  EXPECT_FALSE(state.WantsDetection());
}

TEST(PeopleState, RoomIsMadeForMoreWithoutLosingAnybody) {
  PeopleState state;
  ASSERT_TRUE(state.Begin(kFrame, kImage, 4));
  EXPECT_EQ(state.most(), 1u);
  state.Take(At(100));
  state.Reserve(4);
  EXPECT_EQ(state.capacity(), 4u);
  ASSERT_TRUE(state.Begin(2 * kFrame, kImage, 4));
  EXPECT_EQ(state.most(), 4u);
  EXPECT_TRUE(state.IsFollowed(0));
  EXPECT_EQ(state.id(0), 1);
}

TEST(PeopleState, AStrayFrameLeavesNoTraceAndKnowsWhoIsWho) {
  Stage stage(2);
  stage.Show({{'a', At(100)}, {'b', At(500)}});
  PeopleState& state = stage.state();
  EXPECT_FALSE(state.Begin(kFrame, kImage, 2));
  const std::array places{At(505), At(900), At(103)};
  std::array<int, 3> ids{};
  state.IdsOf(places, ids);
  EXPECT_EQ(ids, (std::array{2, 3, 1}));
  EXPECT_FALSE(state.Begin(microseconds(-1), {7, 7}, 1));
  state.IdsOf(std::span(places).first(1), std::span(ids).first(1));
  EXPECT_EQ(ids[0], 1) << "alone";
  EXPECT_EQ(stage.Show({{'a', At(100)}, {'b', At(500)}}), (Ids{{'a', 1}, {'b', 2}}));
}

TEST(PeopleState, AJumpInTimeAnotherSizeOrAResetIsANewStart) {
  PeopleState state({}, 2);
  const auto start = [&](microseconds time, ImageSize size) {
    EXPECT_TRUE(state.Begin(time, size, 2));
    EXPECT_FALSE(state.IsFollowed(0));
    EXPECT_EQ(state.id(state.Take(At(100))), 1);
  };
  start(kFrame, kImage);
  EXPECT_FALSE(state.Begin(std::chrono::hours(1), kImage, 2));
  start(std::chrono::hours(1) + kFrame, kImage);
  start(std::chrono::hours(1) + 2 * kFrame, {500, 500});
  state.Reset();
  start(microseconds(5), {500, 500});
}

TEST(PeopleState, MakesNoHeapCall) {
  PeopleState state({}, 8);
  const auto before = HeapCalls();
  PeopleState moved(std::move(state));
  for (int frame = 1; frame < 30; ++frame) {
    ASSERT_TRUE(moved.Begin(frame * kFrame, kImage, 8));
    if (frame == 7) moved.Lose(3);
    if (!moved.WantsDetection()) continue;
    moved.Detected();
    for (std::size_t i = 0; i < 8; ++i) {
      if (!moved.IsFollowed(i)) moved.Place(moved.Take(At(100 * static_cast<float>(i))), At(0));
    }
  }
  moved.Reset();
  EXPECT_EQ(HeapCalls() - before, 0u);
}

}  // namespace
}  // namespace holostat::vision
