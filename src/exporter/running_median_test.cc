#include "exporter/running_median.h"

#include <gtest/gtest.h>

namespace holostat::exporter {
namespace {

TEST(RunningMedian, IsTheMedianOfAFewAndNearItOfMany) {
  RunningMedian median;
  EXPECT_FALSE(median.Get());
  for (const double value : {3.0, 100.0, 1.0}) median.Add(value);
  EXPECT_EQ(median.Get(), 3);
  RunningMedian long_one;
  for (int i = 0; i < 1'000'000; ++i) long_one.Add(i % 1000);
  EXPECT_NEAR(*long_one.Get(), 500, 60);
}

TEST(RunningMedian, SeesTheWholeOfALongSeries) {
  RunningMedian median;
  for (int i = 0; i < 100'000; ++i) median.Add(i < 20'000 ? 0 : 1);
  EXPECT_EQ(median.Get(), 1);
}

}  // namespace
}  // namespace holostat::exporter
