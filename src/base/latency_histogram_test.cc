#include "base/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/heap_calls.h"

namespace holostat {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(LatencyHistogram, IsZeroWhileEmpty) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.Quantile(0.5), nanoseconds(0));
  EXPECT_EQ(histogram.max(), nanoseconds(0));
}

TEST(LatencyHistogram, GivesQuantilesWithinThreePercentOverTheWholeRange) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(0, std::log(3600e9));  // 1 ns .. 1 h
  LatencyHistogram histogram;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<std::int64_t>(std::exp(exponent(random))));
    histogram.Record(nanoseconds(values.back()));
  }
  std::sort(values.begin(), values.end());
  for (int i = 1; i <= 1000; ++i) {
    const double q = i / 1000.0;
    const auto rank = static_cast<std::size_t>(std::ceil(q * 20'000));
    const auto truth = static_cast<double>(values[rank - 1]);
    EXPECT_NEAR(static_cast<double>(histogram.Quantile(q).count()), truth, 0.03 * truth) << q;
  }
}

TEST(LatencyHistogram, IsExactForOneValueAndForTheMaximum) {
  LatencyHistogram histogram;
  histogram.Record(milliseconds(3));
  histogram.Record(milliseconds(7));
  EXPECT_EQ(histogram.max(), milliseconds(7));
  EXPECT_LE(histogram.Quantile(1), histogram.max());
  EXPECT_NEAR(static_cast<double>(histogram.Quantile(0).count()), 3e6, 0.03 * 3e6);
}

TEST(LatencyHistogram, TakesWhatIsOutOfRange) {
  LatencyHistogram histogram;
  histogram.Record(nanoseconds(-5));
  histogram.Record(hours(1000));
  histogram.Record(nanoseconds(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(histogram.count(), 3u);
  EXPECT_EQ(histogram.Quantile(0.1), nanoseconds(0));
  EXPECT_GT(histogram.Quantile(0.9), hours(4));
  EXPECT_EQ(histogram.max(), nanoseconds(std::numeric_limits<std::int64_t>::max()));
}

TEST(LatencyHistogram, TakesAnyShare) {
  LatencyHistogram histogram;
  histogram.Record(nanoseconds(10));
  EXPECT_EQ(histogram.Quantile(-1), nanoseconds(10));
  EXPECT_EQ(histogram.Quantile(2), nanoseconds(10));
  EXPECT_EQ(histogram.Quantile(std::numeric_limits<double>::quiet_NaN()), nanoseconds(10));
}

TEST(LatencyHistogram, CountsWhatDoesNotExceedABound) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.CountUpTo(hours(1)), 0u);
  for (int ms = 1; ms <= 1000; ++ms) histogram.Record(milliseconds(ms));
  std::uint64_t before = 0;
  for (int ms = 1; ms <= 1100; ++ms) {
    const std::uint64_t count = histogram.CountUpTo(milliseconds(ms));
    EXPECT_NEAR(static_cast<double>(count), std::min(ms, 1000), 0.03 * ms + 1);
    EXPECT_GE(count, before);
    before = count;
  }
  EXPECT_EQ(histogram.CountUpTo(milliseconds(1000)), 1000u);
  EXPECT_EQ(histogram.CountUpTo(nanoseconds(-1)), 0u);
  EXPECT_NEAR(histogram.sum_seconds(), 500.5, 1e-6);
}

TEST(LatencyHistogram, ForgetsAllOnReset) {
  LatencyHistogram histogram;
  histogram.Record(milliseconds(3));
  histogram.Reset();
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.max(), nanoseconds(0));
  EXPECT_EQ(histogram.Quantile(1), nanoseconds(0));
  EXPECT_EQ(histogram.CountUpTo(hours(1)), 0u);
  EXPECT_EQ(histogram.sum_seconds(), 0);
}

TEST(LatencyHistogram, NeverCallsTheHeap) {
  const auto before = HeapCalls();
  LatencyHistogram histogram;
  for (int i = 0; i < 10'000; ++i) histogram.Record(nanoseconds(i * i));
  const auto quantile = histogram.Quantile(0.99);
  histogram.Reset();
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_GT(quantile, nanoseconds(0));
}

}  // namespace
}  // namespace holostat
