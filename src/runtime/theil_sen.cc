#include "runtime/theil_sen.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/check.h"

namespace holostat::runtime {
namespace {

constexpr std::size_t kFewestPoints = 8;
constexpr double kMostAlike = 0.99;  // correlation of neighbours

// The z with NormalShare(z) = share. Bisection: 60 steps are exact, and it is called once a line.
double NormalQuantile(double share) {
  double low = -40, high = 40;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (NormalShare(middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

// The sums over groups of t equal values that Kendall's variance needs.
struct Ties {
  double pairs = 0;     // t (t - 1)
  double triples = 0;   // t (t - 1) (t - 2)
  double variance = 0;  // t (t - 1) (2 t + 5)
};

Ties CountTies(std::span<const double> values, std::span<double> scratch) {
  std::copy(values.begin(), values.end(), scratch.begin());
  std::sort(scratch.begin(), scratch.end());
  Ties ties;
  for (std::size_t i = 0; i < scratch.size();) {
    std::size_t end = i;
    while (end < scratch.size() && scratch[end] == scratch[i]) ++end;
    const auto t = static_cast<double>(end - i);
    ties.pairs += t * (t - 1);
    ties.triples += t * (t - 1) * (t - 2);
    ties.variance += t * (t - 1) * (2 * t + 5);
    i = end;
  }
  return ties;
}

// Kendall, Rank Correlation Methods, 4th edition, (4.3): the variance of S with ties in both.
double KendallVariance(std::span<const double> x, std::span<const double> y,
                       std::span<double> scratch) {
  const Ties tx = CountTies(x, scratch);
  const Ties ty = CountTies(y, scratch);
  const auto n = static_cast<double>(x.size());
  const double variance = (n * (n - 1) * (2 * n + 5) - tx.variance - ty.variance) / 18 +
                          tx.triples * ty.triples / (9 * n * (n - 1) * (n - 2)) +
                          tx.pairs * ty.pairs / (2 * n * (n - 1));
  return std::max(variance, 0.0);  // rounding, when all are equal
}

// The slopes of all pairs with different x, at the front of `scratch`; the rest of it is free for
// one value a point.
std::span<double> PairSlopes(std::span<const double> x, std::span<const double> y,
                             std::vector<double>& scratch) {
  scratch.resize(TheilSenScratch(x.size()));
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[i] != x[j]) scratch[count++] = (y[j] - y[i]) / (x[j] - x[i]);
    }
  }
  return std::span(scratch).first(count);
}

// Puts the value of `rank` (from 0; clamped) in its place of values[begin, end) and gives it.
double Select(std::span<double> values, std::ptrdiff_t begin, std::ptrdiff_t end,
              std::ptrdiff_t rank) {
  const auto at = values.begin() + std::clamp(rank, begin, end - 1);
  std::nth_element(values.begin() + begin, at, values.begin() + end);
  return *at;
}

}  // namespace

std::size_t TheilSenScratch(std::size_t points) { return points * (points + 1) / 2; }

double NormalShare(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

std::optional<Slope> TheilSen(std::span<const double> x, std::span<const double> y,
                              double confidence, std::vector<double>& scratch) {
  HOLO_CHECK(x.size() == y.size());
  if (x.size() < kFewestPoints) return std::nullopt;
  const std::span<double> slopes = PairSlopes(x, y, scratch);
  if (slopes.empty()) return std::nullopt;
  const double reach = NormalQuantile((1 + confidence) / 2) *
                       std::sqrt(KendallVariance(x, y, std::span(scratch).last(x.size())));
  const auto count = static_cast<std::ptrdiff_t>(slopes.size());
  const std::ptrdiff_t middle = count / 2;
  const double upper = Select(slopes, 0, count, middle);
  const double lower =
      count % 2 == 1 ? upper : *std::max_element(slopes.begin(), slopes.begin() + middle);
  // Sen's M1-th and (M2 + 1)-th of the sorted slopes, counted from 1.
  const auto size = static_cast<double>(count);
  const auto low = static_cast<std::ptrdiff_t>(std::floor((size - reach) / 2)) - 1;
  const auto high = static_cast<std::ptrdiff_t>(std::ceil((size + reach) / 2));
  return Slope{.per_x = (lower + upper) / 2,
               .low = std::min(lower, Select(slopes, 0, middle + 1, low)),
               .high = std::max(upper, Select(slopes, middle, count, high))};
}

Slope WidenedForSeries(std::span<const double> x, std::span<const double> y, const Slope& slope) {
  HOLO_CHECK(x.size() == y.size());
  const auto residual = [&](std::size_t i) { return y[i] - slope.per_x * x[i]; };
  double mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean += residual(i) / static_cast<double>(x.size());
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = residual(i) - mean;
    squares += here * here;
    if (i > 0) products += here * (residual(i - 1) - mean);
  }
  const double r = squares > 0 ? std::clamp(products / squares, 0.0, kMostAlike) : 0;
  const double factor = std::sqrt((1 + r) / (1 - r));
  return {slope.per_x, slope.per_x - factor * (slope.per_x - slope.low),
          slope.per_x + factor * (slope.high - slope.per_x)};
}

double TrendScore(std::span<const double> x, std::span<const double> y, double per_x,
                  std::vector<double>& scratch) {
  HOLO_CHECK(x.size() == y.size());
  if (x.size() < kFewestPoints) return 0;
  double score = 0;
  for (const double slope : PairSlopes(x, y, scratch)) {
    score += static_cast<double>((slope > per_x) - (slope < per_x));
  }
  // Without a correction for ties: it would only make the score larger.
  const auto n = static_cast<double>(x.size());
  return score / std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

}  // namespace holostat::runtime
