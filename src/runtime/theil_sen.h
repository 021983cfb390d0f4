#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace holostat::runtime {

// A robust line through points: the median of the slopes of all pairs (Theil 1950, Sen 1968), with
// the confidence interval of Sen 1968 (ranks from the variance of Kendall's S, ties corrected).
// The interval takes the points for independent; a series in time seldom is, so it is narrower than
// the truth (docs/leak-detector.md says what guards against it).
struct Slope {
  double per_x = 0;          // estimate
  double low = 0, high = 0;  // interval
};

// `confidence` in (0, 1). Nothing with fewer than 8 points or all x equal. Uses `scratch` for the
// pairwise slopes: no heap call once it has its capacity, TheilSenScratch(points).
// REQUIRES: x and y of one size, finite.
std::optional<Slope> TheilSen(std::span<const double> x, std::span<const double> y,
                              double confidence, std::vector<double>& scratch);

// The interval of `slope` for points that follow each other in time and resemble their neighbours:
// wider by sqrt((1 + r) / (1 - r)), r the correlation of neighbouring residuals (0 to 0.99), since
// so many fewer of them are independent (Bayley and Hammersley 1946).
Slope WidenedForSeries(std::span<const double> x, std::span<const double> y, const Slope& slope);

// Kendall's S of (x, y - per_x x) in units of its standard deviation: how clearly y climbs faster
// than `per_x` (positive) or slower. 0 where TheilSen gives nothing.
double TrendScore(std::span<const double> x, std::span<const double> y, double per_x,
                  std::vector<double>& scratch);

// Doubles that either needs for `points` points.
std::size_t TheilSenScratch(std::size_t points);

// The share of a normal distribution below `z` standard deviations.
double NormalShare(double z);

}  // namespace holostat::runtime
