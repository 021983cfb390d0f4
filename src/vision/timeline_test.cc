#include "vision/timeline.h"

#include <gtest/gtest.h>

#include <vector>

namespace holostat::vision {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;
using enum Timeline::Place;

std::vector<Timeline::Place> PlacesOf(const std::vector<microseconds>& times) {
  Timeline timeline;
  std::vector<Timeline::Place> places;
  for (microseconds time : times) places.push_back(timeline.Add(time));
  return places;
}

TEST(Timeline, FramesInOrderFollow) {
  const auto places = PlacesOf({microseconds(-40), microseconds(0), microseconds(1), seconds(10)});
  EXPECT_EQ(places, (std::vector{kStarts, kFollows, kFollows, kFollows}));
}

TEST(Timeline, ARepeatedTimeCostsThatFrameOnly) {
  const auto places = PlacesOf({microseconds(7), microseconds(7), microseconds(8)});
  EXPECT_EQ(places, (std::vector{kStarts, kStrays, kFollows}));
}

TEST(Timeline, AnAbsurdTimeCostsThatFrameOnly) {
  for (microseconds absurd :
       {microseconds::max(), microseconds::min(), microseconds(-5), microseconds(seconds(1000))}) {
    const auto places = PlacesOf({microseconds(7), absurd, microseconds(8), microseconds(9)});
    EXPECT_EQ(places, (std::vector{kStarts, kStrays, kFollows, kFollows})) << absurd.count();
  }
}

TEST(Timeline, AJumpThatTwoFramesAgreeOnIsANewStart) {
  for (microseconds jump : {microseconds(seconds(0)), microseconds(seconds(5000))}) {
    const auto places =
        PlacesOf({seconds(100), jump, jump + microseconds(1), jump + microseconds(2)});
    EXPECT_EQ(places, (std::vector{kStarts, kStrays, kStarts, kFollows})) << jump.count();
  }
}

TEST(Timeline, FramesFurtherApartThanTheLongestStepAllStray) {
  const auto places = PlacesOf({seconds(0), seconds(11), seconds(22), seconds(33)});
  EXPECT_EQ(places, (std::vector{kStarts, kStrays, kStrays, kStrays}));
}

TEST(Timeline, TheEndsOfTimeAreNoTrouble) {
  const auto places = PlacesOf({microseconds::min(), microseconds::max(), microseconds::min()});
  EXPECT_EQ(places, (std::vector{kStarts, kStrays, kStrays}));
}

TEST(Timeline, BeginsAnewAfterAReset) {
  Timeline timeline;
  timeline.Add(seconds(100));
  timeline.Reset();
  EXPECT_EQ(timeline.Add(seconds(1)), kStarts);
}

}  // namespace
}  // namespace holostat::vision
