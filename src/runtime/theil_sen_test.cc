#include "runtime/theil_sen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::runtime {
namespace {

using Values = std::vector<double>;

std::vector<double> SortedSlopes(const Values& x, const Values& y) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (x[i] != x[j]) slopes.push_back((y[i] - y[j]) / (x[i] - x[j]));
    }
  }
  std::sort(slopes.begin(), slopes.end());
  return slopes;
}

double Median(const Values& sorted) {
  const std::size_t n = sorted.size();
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

TEST(TheilSen, NeedsEightPointsAndTwoPlaces) {
  Values scratch;
  EXPECT_FALSE(TheilSen(Values{1, 2, 3, 4, 5, 6, 7}, Values(7), 0.99, scratch));
  EXPECT_FALSE(TheilSen(Values(8, 3.0), Values(8), 0.99, scratch));
  EXPECT_TRUE(TheilSen(Values{1, 2, 3, 4, 5, 6, 7, 8}, Values(8), 0.99, scratch));
}

TEST(TheilSen, IsExactOnALineAndUnmovedByOutliers) {
  Values x, y, scratch;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    y.push_back(i % 8 == 3 ? 1e6 : 7 + 2.5 * i);  // five of them wrong
  }
  const auto slope = TheilSen(x, y, 0.95, scratch);
  EXPECT_DOUBLE_EQ(slope->per_x, 2.5);
  EXPECT_DOUBLE_EQ(slope->low, 2.5);
  EXPECT_DOUBLE_EQ(slope->high, 2.5);
}

// A walk with no trend: each step remembers nine tenths of the one before.
TEST(TheilSen, WidensTheIntervalOfASeriesThatResemblesItsNeighbours) {
  int held = 0, held_plain = 0;
  constexpr int kSeries = 200;
  for (int seed = 0; seed < kSeries; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    std::normal_distribution<double> step;
    Values x, y, scratch;
    double at = 0;
    for (int i = 0; i < 200; ++i) {
      x.push_back(i);
      y.push_back(at = 0.9 * at + step(random));
    }
    const auto plain = TheilSen(x, y, 0.95, scratch);
    ASSERT_TRUE(plain);
    const Slope wide = WidenedForSeries(x, y, *plain);
    EXPECT_EQ(wide.per_x, plain->per_x);
    held_plain += plain->low <= 0 && plain->high >= 0 ? 1 : 0;
    held += wide.low <= 0 && wide.high >= 0 ? 1 : 0;
  }
  EXPECT_LT(held_plain, kSeries / 2) << "taken for independent the points promise too much";
  EXPECT_GE(held, kSeries * 17 / 20) << "r is estimated, a little low";
}

TEST(TheilSen, KeepsTheIntervalOfIndependentPoints) {
  Values x, y, scratch;
  for (int i = 0; i < 100; ++i) {
    x.push_back(i);
    y.push_back(2 * i + (i % 2 == 0 ? 1 : -1));
  }
  const auto plain = TheilSen(x, y, 0.95, scratch);
  const Slope wide = WidenedForSeries(x, y, *plain);
  EXPECT_EQ(wide.low, plain->low);
  EXPECT_EQ(wide.high, plain->high);
}

TEST(TheilSen, IsFlatWhereAllAreEqual) {
  Values scratch;
  const auto slope = TheilSen(Values{1, 2, 3, 4, 5, 6, 7, 8}, Values(8, 5.0), 0.99, scratch);
  EXPECT_EQ(slope->per_x, 0);
  EXPECT_EQ(slope->low, 0);
  EXPECT_EQ(slope->high, 0);
}

// Ten points without ties: the variance of S is 125, so 99 % reach 2.5758 * 11.18 = 28.8 ranks:
// the 8th and the 38th of the 45 slopes.
TEST(TheilSen, TakesItsIntervalFromTheRanksOfSen) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise;
  for (int round = 0; round < 100; ++round) {
    Values x, y, scratch;
    for (int i = 0; i < 10; ++i) {
      x.push_back(i + 0.1 * std::abs(noise(random)));
      y.push_back(noise(random));
    }
    const Values slopes = SortedSlopes(x, y);
    const auto slope = TheilSen(x, y, 0.99, scratch);
    EXPECT_DOUBLE_EQ(slope->per_x, slopes[22]);
    EXPECT_DOUBLE_EQ(slope->low, slopes[7]);
    EXPECT_DOUBLE_EQ(slope->high, slopes[37]);
  }
}

// x = 1 1 2 2 ... 8 8, y = 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1: n (n-1) (2n+5) = 8880; of x 8 groups
// of two, 2 * 9 each; of y two groups of eight, 56 * 21 each: (8880 - 144 - 2352) / 18 = 354.67,
// and 16 * 112 / (2 * 240) = 3.73 for the pairs of both. 95 % reach 1.95996 * 18.93 = 37.1 ranks of
// 112 slopes: from the 37th to the 76th.
TEST(TheilSen, CorrectsForTiesInBoth) {
  Values x, y, scratch;
  for (int i = 0; i < 16; ++i) {
    x.push_back(1 + i / 2);
    y.push_back(i / 4 % 2);
  }
  const Values slopes = SortedSlopes(x, y);
  ASSERT_EQ(slopes.size(), 112u);
  const auto slope = TheilSen(x, y, 0.95, scratch);
  EXPECT_DOUBLE_EQ(slope->per_x, Median(slopes));
  EXPECT_DOUBLE_EQ(slope->low, slopes[36]);
  EXPECT_DOUBLE_EQ(slope->high, slopes[75]);
}

TEST(TheilSen, IsTheMedianOfAllSlopesOfAnySeries) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    Values x, y, scratch;
    const std::size_t points = 8 + random() % 60;
    for (std::size_t i = 0; i < points; ++i) {
      x.push_back(random() % 40);
      y.push_back(random() % 10);
    }
    const Values slopes = SortedSlopes(x, y);
    const auto slope = TheilSen(x, y, 0.9, scratch);
    EXPECT_DOUBLE_EQ(slope->per_x, Median(slopes));
    EXPECT_LE(slope->low, slope->per_x);
    EXPECT_GE(slope->high, slope->per_x);
  }
}

TEST(TheilSen, HoldsTheTruthAsOftenAsItSays) {
  std::mt19937 random(3);
  std::student_t_distribution<double> noise(3);
  Values x(30), y(30), scratch;
  int held = 0;
  for (int round = 0; round < 2000; ++round) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<double>(i);
      y[i] = 0.5 * x[i] + noise(random);
    }
    const auto slope = TheilSen(x, y, 0.9, scratch);
    held += slope->low <= 0.5 && 0.5 <= slope->high;
  }
  EXPECT_NEAR(held / 2000.0, 0.9, 0.025);
}

TEST(TheilSen, MakesNoHeapCallOnceTheScratchHasItsCapacity) {
  Values x(128), y(128), scratch;
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] = static_cast<double>(i);
  scratch.reserve(TheilSenScratch(x.size()));
  const auto before = HeapCalls();
  const auto slope = TheilSen(x, y, 0.99, scratch);
  const double score = TrendScore(x, y, 0, scratch);
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_EQ(slope->per_x, 1);
  EXPECT_GT(score, 15);
}

TEST(TrendScore, ComparesWithTheGivenSlope) {
  Values x, y, scratch;
  for (int i = 0; i < 10; ++i) {
    x.push_back(i);
    y.push_back(2 * i);
  }
  const double all = 45 / std::sqrt(125.0);  // of 45 pairs
  EXPECT_DOUBLE_EQ(TrendScore(x, y, 1.9, scratch), all);
  EXPECT_DOUBLE_EQ(TrendScore(x, y, 2, scratch), 0);
  EXPECT_DOUBLE_EQ(TrendScore(x, y, 2.1, scratch), -all);
}

TEST(NormalShare, HasTheValuesOfTheTables) {
  EXPECT_NEAR(NormalShare(0), 0.5, 1e-12);
  EXPECT_NEAR(NormalShare(1.959964), 0.975, 1e-6);
  EXPECT_NEAR(NormalShare(-2.326348), 0.01, 1e-6);
}

}  // namespace
}  // namespace holostat::runtime
