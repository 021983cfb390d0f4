#include "exporter/frame_ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace holostat::exporter {
namespace {

using std::chrono::microseconds;

// The shares of the ticks that a frame brings.
std::vector<double> Shares(FrameTicks& ticks, std::int64_t us) {
  const auto added = ticks.Add(microseconds(us));
  std::vector<double> shares;
  for (std::uint64_t i = 0; i < added.count; ++i) shares.push_back(added.At(i));
  return shares;
}

TEST(FrameTicks, AVideoOfTheSameRateHasATickAFrame) {
  const double fps = 29.917;
  FrameTicks ticks(fps);
  for (int i = 0; i < 10000; ++i)
    EXPECT_EQ(Shares(ticks, std::llround(i * 1e6 / fps)), std::vector<double>{1}) << i;
}

TEST(FrameTicks, ALateFrameFillsTheGapEvenly) {
  FrameTicks ticks(10);
  EXPECT_EQ(Shares(ticks, 5'000'000).size(), 1u);
  const auto shares = Shares(ticks, 5'400'000);
  ASSERT_EQ(shares.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(shares[i], 0.25 * (i + 1), 1e-9);
}

TEST(FrameTicks, FramesBetweenTicksBringNone) {
  FrameTicks ticks(10);
  EXPECT_EQ(Shares(ticks, 0).size(), 1u);
  EXPECT_TRUE(Shares(ticks, 30'000).empty());
  EXPECT_TRUE(Shares(ticks, 60'000).empty());
  EXPECT_EQ(Shares(ticks, 90'000).size(), 1u) << "near enough to 100 ms";
  EXPECT_TRUE(Shares(ticks, 120'000).empty());
}

TEST(FrameTicks, ATimeThatLeapsOrGoesBackIsOneStep) {
  FrameTicks ticks(25);
  EXPECT_EQ(Shares(ticks, 0).size(), 1u);
  EXPECT_EQ(Shares(ticks, -1'000'000'000'000).size(), 1u);
  EXPECT_EQ(Shares(ticks, std::numeric_limits<std::int64_t>::max()).size(), 1u);
  EXPECT_EQ(Shares(ticks, std::numeric_limits<std::int64_t>::min()).size(), 1u);
  EXPECT_EQ(Shares(ticks, std::numeric_limits<std::int64_t>::min()).size(), 1u) << "repeated";
}

}  // namespace
}  // namespace holostat::exporter
