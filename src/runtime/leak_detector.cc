#include "runtime/leak_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace holostat::runtime {
namespace {

constexpr std::size_t kSmallestCapacity = 32;
constexpr double kMinRequests = 4;  // times the warm-up, before anything is said

GrowthClassifier::Options ClassifierOptions(const LeakDetector::Options& options) {
  return {.capacity = options.capacity,
          .confidence = options.confidence,
          .min_slope = options.min_bytes_per_request,
          .min_growth = options.min_growth_bytes,
          .min_requests = kMinRequests * static_cast<double>(
                                             std::max<std::uint64_t>(options.warm_up_requests, 1))};
}

// "203 KB", "-1.5 MB", "12 bytes", "0.02 fds".
std::string Quantity(double value, std::string_view unit) {
  if (!unit.empty()) return fmt::format("{:.3g} {}", value, unit);
  if (std::abs(value) >= 1 << 20) return fmt::format("{:.4g} MB", value / (1 << 20));
  if (std::abs(value) >= 1 << 10) return fmt::format("{:.4g} KB", value / (1 << 10));
  return fmt::format("{:.3g} bytes", value);
}

std::string Rate(const LeakVerdict& verdict) {
  return fmt::format("{} a request ({} to {})", Quantity(verdict.bytes_per_request, verdict.unit),
                     Quantity(verdict.low, verdict.unit), Quantity(verdict.high, verdict.unit));
}

std::string Alarm(const LeakVerdict& verdict, std::string_view what) {
  std::string text = fmt::format("{} {}, {} a minute, {:.4g} % sure", what, Rate(verdict),
                                 Quantity(verdict.bytes_per_minute, verdict.unit),
                                 std::floor(verdict.confidence * 1e4) / 100);
  if (verdict.minutes_to_budget) {
    text += fmt::format("; reaches its budget in {:.3g} minutes", *verdict.minutes_to_budget);
  }
  return text;
}

}  // namespace

LeakDetector::Options LeakDetector::Options::ForCount(std::string_view unit) {
  Options options;
  options.min_bytes_per_request = 0.001;
  options.min_growth_bytes = 8;
  options.unit = unit;
  return options;
}

std::string LeakVerdict::Describe() const {
  switch (growth) {
    case Growth::kWarmUp:
      return "warming up, or too few samples to tell";
    case Growth::kPlateau:
      return "flat: " + Rate(*this);
    case Growth::kStep:
      return "rose in steps and stays there";
    case Growth::kLeak:
      return Alarm(*this, "leaks");
    case Growth::kFragmentation:
      return Alarm(*this, "fragments (the heap in use does not grow):");
  }
  return "unknown";
}

LeakDetector::LeakDetector(const Options& options)
    : options_(options), classifier_(ClassifierOptions(options)) {
  HOLO_CHECK(options.capacity >= kSmallestCapacity);
  life_.reserve(options.capacity);
  recent_.reserve(options.capacity / 2);
  for (auto* values : {&requests_, &held_, &heap_}) values->reserve(options.capacity);
}

void LeakDetector::Add(const Sample& sample) {
  if (sample.requests < options_.warm_up_requests) return;
  if (!recent_.empty() && sample.requests < recent_.back().requests) {  // of another process
    life_.clear();
    recent_.clear();
    stride_ = 1;
    skipped_ = 0;
  }
  const bool is_idle = !recent_.empty() && recent_.back().requests == sample.requests;
  if (is_idle) {
    if (life_.back().requests == sample.requests) life_.back() = sample;
    recent_.back() = sample;
    return;
  }
  if (recent_.size() == options_.capacity / 2) recent_.erase(recent_.begin());
  recent_.push_back(sample);
  if (skipped_ == 0) {
    if (life_.size() == options_.capacity) {
      for (std::size_t i = 0; 2 * i < life_.size(); ++i) life_[i] = life_[2 * i];
      life_.resize((life_.size() + 1) / 2);
      stride_ *= 2;
    }
    life_.push_back(sample);
  }
  skipped_ = (skipped_ + 1) % stride_;
}

std::size_t LeakDetector::samples() const { return life_.size(); }

// As the columns that the classifier reads.
GrowthWindow LeakDetector::Window(const std::vector<Sample>& samples) {
  for (auto* values : {&requests_, &held_, &heap_}) values->clear();
  bool has_heap = true;
  for (const Sample& sample : samples) {
    requests_.push_back(static_cast<double>(sample.requests));
    held_.push_back(static_cast<double>(sample.bytes));
    heap_.push_back(static_cast<double>(sample.heap_bytes));
    has_heap &= sample.heap_bytes > 0;
  }
  if (!has_heap) heap_.clear();
  return {requests_, held_, heap_};
}

LeakVerdict LeakDetector::Verdict(const std::vector<Sample>& samples) {
  const GrowthWindow window = Window(samples);
  const GrowthTrend trend = classifier_.Classify(window);
  LeakVerdict verdict{.growth = trend.growth,
                      .bytes_per_request = trend.slope.per_x,
                      .low = trend.slope.low,
                      .high = trend.slope.high,
                      .confidence = trend.confidence,
                      .minutes_to_budget = std::nullopt,
                      .unit = options_.unit};
  if (samples.empty()) return verdict;
  const std::chrono::duration<double, std::ratio<60>> minutes =
      samples.back().age - samples.front().age;
  if (minutes.count() > 0) {
    verdict.bytes_per_minute = trend.slope.per_x * window.Requests() / minutes.count();
  }
  const bool is_rising = trend.growth == Growth::kLeak || trend.growth == Growth::kFragmentation;
  if (is_rising && options_.budget_bytes > 0 && verdict.bytes_per_minute > 0) {
    const double left =
        static_cast<double>(options_.budget_bytes) - static_cast<double>(samples.back().bytes);
    verdict.minutes_to_budget = std::max(left, 0.0) / verdict.bytes_per_minute;
  }
  return verdict;
}

LeakVerdict LeakDetector::Verdict() {
  const LeakVerdict life = Verdict(life_);
  if (life.growth == Growth::kLeak || life.growth == Growth::kFragmentation) return life;
  const LeakVerdict recent = Verdict(recent_);
  const bool is_rising = recent.growth == Growth::kLeak || recent.growth == Growth::kFragmentation;
  return is_rising ? recent : life;
}

}  // namespace holostat::runtime
