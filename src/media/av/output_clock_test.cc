#include "media/av/output_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;
using testing::ElementsAre;

std::vector<std::int64_t> PlaceAll(OutputClock& clock, const std::vector<std::int64_t>& times_us) {
  std::vector<std::int64_t> ticks;
  for (const std::int64_t time : times_us) ticks.push_back(clock.Place(microseconds(time)));
  return ticks;
}

TEST(OutputClock, KeepsTheStepsOfTheSourceFromZero) {
  OutputClock clock(30);
  EXPECT_THAT(PlaceAll(clock, {5'000'000, 5'040'000, 5'140'000, 5'150'000}),
              ElementsAre(0, 3600, 12600, 13500));
  EXPECT_EQ(clock.step(), 900);
}

TEST(OutputClock, BeginsAtZeroBelowZeroToo) {
  OutputClock clock(30);
  EXPECT_THAT(PlaceAll(clock, {-80'000, -40'000, 0}), ElementsAre(0, 3600, 7200));
}

TEST(OutputClock, RoundsEachTimeByItself) {
  OutputClock clock(30);
  std::int64_t last = 0;
  for (int i = 0; i <= 30'000; ++i) last = clock.Place(microseconds(i * 1'000'000LL / 30));
  EXPECT_EQ(last, 90'000'000);
}

TEST(OutputClock, MovesWhatComesTooEarlyToJustAfter) {
  OutputClock clock(30);
  EXPECT_THAT(PlaceAll(clock, {0, 40'000, 40'000, 10'000, 80'000}),
              ElementsAre(0, 3600, 3601, 3602, 7200));
}

TEST(OutputClock, GoesOnWhereTheClockWasSet) {
  OutputClock clock(30);
  const std::int64_t day = 86'400'000'000;
  EXPECT_THAT(PlaceAll(clock, {day, day + 40'000, 0, 40'000, 2 * day, 2 * day + 20'000}),
              ElementsAre(0, 3600, 7200, 10800, 14400, 16200));
}

TEST(OutputClock, TakesAnyTime) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                         kMost = std::numeric_limits<std::int64_t>::max();
  OutputClock clock(25);
  EXPECT_THAT(PlaceAll(clock, {kMost, kLeast, kLeast, kMost, 0}),
              ElementsAre(0, 3600, 3601, 7201, 10801));
}

TEST(OutputClock, StepsAsAnnouncedWhereNothingIsKnown) {
  EXPECT_EQ(OutputClock(25).step(), 3600);
  EXPECT_EQ(OutputClock(0).step(), 3000);
  EXPECT_EQ(OutputClock(std::numeric_limits<double>::quiet_NaN()).step(), 3000);
  EXPECT_EQ(OutputClock(1e300).step(), 90);
  EXPECT_GT(OutputClock(1e-300).step(), 0);
}

}  // namespace
}  // namespace holostat::media::av
