#include "runtime/growth_classifier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace holostat::runtime {
namespace {

constexpr std::size_t kFewestSamples = 8;
// A short window needs more growth, up to kShortFactor times, than one of kLongWindow times the
// fewest requests: what warms up looks like a leak for as long as it does not bend.
constexpr double kLongWindow = 10;
constexpr double kShortFactor = 4;
constexpr double kSpreads = 4;        // growth over the noise: so many interquartile ranges
constexpr double kStillRising = 0.5;  // the last stretch against the first
constexpr double kRisingSince = 0.2;  // the first against the last
constexpr std::size_t kFloorPlaces = 16;
constexpr double kFewestRises = 6;   // of a leak: larger pictures make a few
constexpr double kRisesShare = 0.6;  // of the places, where these are few
constexpr double kSureEnough = 0.95;
constexpr double kJumpShare = 0.4;   // of all growth in one place: a step
constexpr double kHeapShare = 0.25;  // of the resident growth that the heap in use explains
constexpr int kMostSteps = 3;

bool IsRising(Growth growth) { return growth == Growth::kLeak || growth == Growth::kFragmentation; }

}  // namespace

std::string_view GrowthName(Growth growth) {
  switch (growth) {
    case Growth::kWarmUp:
      return "warm-up";
    case Growth::kPlateau:
      return "plateau";
    case Growth::kStep:
      return "step";
    case Growth::kLeak:
      return "leak";
    case Growth::kFragmentation:
      return "fragmentation";
  }
  return "unknown";
}

GrowthWindow GrowthWindow::Part(std::size_t begin, std::size_t end) const {
  const auto part = [&](std::span<const double> all) {
    return all.empty() ? all : all.subspan(begin, end - begin);
  };
  return {part(requests), part(held), part(heap)};
}

// The least held in each third of the requests. Noise that comes and goes, as an allocator's that
// fills and purges, leaves these where they are; a leak lifts each.
struct GrowthClassifier::Thirds {
  explicit Thirds(const GrowthWindow& window) {
    const double begin = window.requests.front();
    const double third = window.Requests() / 3;
    least.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < window.size(); ++i) {
      const double at = (window.requests[i] - begin) / third;
      double& value = least[static_cast<std::size_t>(std::clamp(at, 0.0, 2.0))];
      value = std::min(value, window.held[i]);
    }
  }
  bool IsComplete() const { return std::isfinite(least[1]); }  // the ends have a sample each
  double First() const { return least[1] - least[0]; }
  double Last() const { return least[2] - least[1]; }
  // From begin to end: the least of a steady rise stands at the beginning of each third.
  double Growth() const { return 1.5 * (least[2] - least[0]); }

  std::array<double, 3> least;
};

struct GrowthClassifier::Jump {
  std::size_t at = 0;  // the first sample behind it; 0: none worth the name
  double share = 0;    // of all growth
};

GrowthClassifier::GrowthClassifier(const Options& options) : options_(options) {
  scratch_.reserve(TheilSenScratch(options.capacity));
  floor_.reserve(options.capacity);
  residuals_.reserve(options.capacity);
}

GrowthTrend GrowthClassifier::Classify(const GrowthWindow& window, int depth) {
  if (window.size() < kFewestSamples || window.Requests() < options_.min_requests) return {};
  const auto slope = TheilSen(window.requests, window.held, options_.confidence, scratch_);
  const Thirds thirds(window);
  if (!slope || !thirds.IsComplete()) return {};
  if (const Jump jump = LargestJump(window); jump.at > 0 && depth < kMostSteps) {
    return Split(window, *slope, jump, depth);
  }
  const double needed = NeededGrowth(window, *slope);
  if (slope->low > 0 && slope->per_x >= options_.min_slope && thirds.Growth() >= needed) {
    return ClassifyRise(window, *slope, thirds);
  }
  const double matters = std::max(options_.min_slope, needed / window.Requests());
  return {Growth::kPlateau, *slope, 1 - Sureness(window, *slope, matters)};
}

// Of what has risen beyond all noise.
GrowthTrend GrowthClassifier::ClassifyRise(const GrowthWindow& window, const Slope& slope,
                                           const Thirds& thirds) {
  if (thirds.Last() < kStillRising * thirds.First()) {
    const double bend = 1 - std::max(thirds.Last(), 0.0) / thirds.First();
    const bool is_flat = thirds.Last() <= kRisingSince * thirds.First();
    return {is_flat ? Growth::kPlateau : Growth::kWarmUp, slope, bend};
  }
  const double evenness = Evenness(window);
  if (thirds.First() < kRisingSince * thirds.Last() || evenness < 1) {
    return {Growth::kStep, slope, 1 - std::min(evenness, 1.0) / 2};
  }
  const double sureness = Sureness(window, slope, options_.min_slope);
  if (sureness < kSureEnough) return {Growth::kWarmUp, slope, 1 - sureness};
  if (!window.heap.empty() && !HeapRises(window, slope)) {
    return {Growth::kFragmentation, slope, sureness};
  }
  return {Growth::kLeak, slope, sureness};
}

// A jump hides what is before and behind it: each is looked at alone.
GrowthTrend GrowthClassifier::Split(const GrowthWindow& window, const Slope& slope,
                                    const Jump& jump, int depth) {
  const GrowthTrend after = Classify(window.Part(jump.at, window.size()), depth + 1);
  if (IsRising(after.growth)) return after;
  const GrowthTrend before = Classify(window.Part(0, jump.at), depth + 1);
  if (IsRising(before.growth) && after.growth == Growth::kWarmUp) return before;
  // Nothing is known of before: it rose while it began, as all do.
  if (before.growth == Growth::kWarmUp && after.growth == Growth::kPlateau) return after;
  return {Growth::kStep, slope, jump.share};
}

bool GrowthClassifier::HeapRises(const GrowthWindow& window, const Slope& held) {
  const auto heap = TheilSen(window.requests, window.heap, options_.confidence, scratch_);
  return heap && heap->low > 0 && heap->per_x >= kHeapShare * held.per_x;
}

// How many samples share one place of the floor: in the least of some, noise is small.
std::size_t GrowthClassifier::FloorStep(const GrowthWindow& window) {
  return std::max<std::size_t>(window.size() / kFloorPlaces, 1);
}

// From each place on, what held never falls below again: it climbs only by what stays. Without
// the last samples, where "never again" means little.
std::span<const double> GrowthClassifier::Floor(const GrowthWindow& window) {
  const std::size_t step = FloorStep(window);
  floor_.clear();
  for (std::size_t i = 0; i + step <= window.size(); i += step) {
    floor_.push_back(*std::min_element(&window.held[i], &window.held[i] + step));
  }
  for (std::size_t i = floor_.size() - 1; i > 0; --i) {
    floor_[i - 1] = std::min(floor_[i - 1], floor_[i]);
  }
  const std::size_t unsure = std::max<std::size_t>(3, window.size() / 8);
  return std::span(floor_).first(floor_.size() - (unsure + step - 1) / step);
}

GrowthClassifier::Jump GrowthClassifier::LargestJump(const GrowthWindow& window) {
  const std::span<const double> floor = Floor(window);
  const double growth = floor.back() - floor.front();
  if (growth < options_.min_growth) return {};
  std::size_t at = 1;
  for (std::size_t i = 2; i < floor.size(); ++i) {
    if (floor[i] - floor[i - 1] > floor[at] - floor[at - 1]) at = i;
  }
  const double jump = floor[at] - floor[at - 1];
  const bool is_step = jump >= kJumpShare * growth && jump >= options_.min_growth / 2;
  return is_step ? Jump{at * FloorStep(window), jump / growth} : Jump{};
}

// In how many rises, if they were equal, the floor climbed, (sum d)^2 / sum d^2, against those that
// a steady rise has at least.
double GrowthClassifier::Evenness(const GrowthWindow& window) {
  const std::span<const double> floor = Floor(window);
  double sum = 0, squares = 0;
  for (std::size_t i = 1; i < floor.size(); ++i) {
    const double rise = floor[i] - floor[i - 1];
    sum += rise;
    squares += rise * rise;
  }
  const double places = static_cast<double>(floor.size() - 1);
  const double needed = std::min(kFewestRises, kRisesShare * places);
  return squares > 0 ? sum * sum / squares / needed : 0;
}

double GrowthClassifier::NeededGrowth(const GrowthWindow& window, const Slope& slope) {
  const double shortness = kLongWindow * options_.min_requests / window.Requests();
  const std::span<double> residuals = Residuals(window, slope);
  std::sort(residuals.begin(), residuals.end());
  const std::size_t quarter = residuals.size() / 4;
  const double spread = residuals[residuals.size() - 1 - quarter] - residuals[quarter];
  return std::max(options_.min_growth * std::clamp(shortness, 1.0, kShortFactor),
                  kSpreads * spread);
}

// How sure the slope is steeper than `per_request`: the share of a normal distribution below the
// trend's score, with its variance widened for samples that resemble their neighbours:
// (1 + r) / (1 - r), r the correlation of residuals that follow each other.
double GrowthClassifier::Sureness(const GrowthWindow& window, const Slope& slope,
                                  double per_request) {
  const double score = TrendScore(window.requests, window.held, per_request, scratch_);
  const std::span<const double> residuals = Residuals(window, slope);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    squares += residuals[i] * residuals[i];
    if (i > 0) products += residuals[i] * residuals[i - 1];
  }
  const double r = squares > 0 ? std::clamp(products / squares, 0.0, 0.95) : 0;
  return NormalShare(score * std::sqrt((1 - r) / (1 + r)));
}

// What is left of held without the line of `slope` and without its mean.
std::span<double> GrowthClassifier::Residuals(const GrowthWindow& window, const Slope& slope) {
  residuals_.resize(window.size());
  double sum = 0;
  for (std::size_t i = 0; i < window.size(); ++i) {
    residuals_[i] = window.held[i] - slope.per_x * (window.requests[i] - window.requests[0]);
    sum += residuals_[i];
  }
  const double mean = sum / static_cast<double>(window.size());
  for (double& residual : residuals_) residual -= mean;
  return residuals_;
}

}  // namespace holostat::runtime
