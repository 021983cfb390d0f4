#include "media/av/frame_times.h"

#include <gtest/gtest.h>

#include <limits>

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;
using namespace std::chrono_literals;

constexpr AVRational kMilliseconds{1, 1000};

TEST(FrameTimes, CountFromTheStartThatTheSourceNames) {
  FrameTimes times(kMilliseconds, -500, 40ms);
  EXPECT_EQ(times.Next(-500), 0us);
  EXPECT_EQ(times.Next(-460), 40ms);
  EXPECT_EQ(times.Next(0), 500ms);
  EXPECT_EQ(times.odd(), 0u);
}

TEST(FrameTimes, CountFromTheFirstFrameWhereItNamesNone) {
  FrameTimes times(kMilliseconds, std::nullopt, 40ms);
  EXPECT_FALSE(times.ToSource(1s).has_value());
  EXPECT_EQ(times.Next(90'000), 0us);
  EXPECT_EQ(times.Next(90'033), 33ms);
  EXPECT_EQ(times.ToSource(1s), 91'000);
}

TEST(FrameTimes, AMissingOneIsAStepAfterTheOneBefore) {
  FrameTimes times(kMilliseconds, 0, 40ms);
  EXPECT_EQ(times.Next(std::nullopt), 0us);
  EXPECT_EQ(times.Next(std::nullopt), 40ms);
  EXPECT_EQ(times.Next(100), 100ms);
  EXPECT_EQ(times.Next(std::nullopt), 140ms);
  EXPECT_EQ(times.odd(), 3u);
}

TEST(FrameTimes, RepeatedAndBackwardOnesAreCountedAndPassedOn) {
  FrameTimes times(kMilliseconds, 0, 40ms);
  EXPECT_EQ(times.Next(80), 80ms);
  EXPECT_EQ(times.Next(80), 80ms);
  EXPECT_EQ(times.Next(40), 40ms);
  EXPECT_EQ(times.Next(120), 120ms);
  EXPECT_EQ(times.odd(), 2u);
}

TEST(FrameTimes, ContinueWhereASeekLed) {
  FrameTimes times(kMilliseconds, std::nullopt, 40ms);
  times.Continue(10s);
  EXPECT_EQ(times.Next(std::nullopt), 10s);
}

TEST(FrameTimes, NoValueFromOutsideOverflows) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (const AVRational base :
       {AVRational{1, 1000}, AVRational{1000, 1}, AVRational{1, 1'000'000'000}}) {
    FrameTimes times(base, -kMost, 40ms);
    times.Next(kMost);
    times.Next(std::nullopt);
    times.Next(-kMost);
    EXPECT_EQ(times.Next(-kMost), 0us);
    times.ToSource(microseconds(kMost));
  }
}

}  // namespace
}  // namespace holostat::media::av
