#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "runtime/leak_detector.h"

namespace holostat::runtime {

inline constexpr double kMegabyte = 1 << 20;

// An invented worker: what it holds after each request. Only for tests.
struct WorkerModel {
  double base = 12 * kMegabyte;
  double warm_up = 0, warm_up_requests = 30;   // saturating: warm_up (1 - exp(-n / ..))
  double tooth = 0, tooth_requests = 500;      // an allocator that fills by so much, then purges
  double noise = 0;                            // standard deviation of a sample
  std::vector<std::uint64_t> larger_pictures;  // requests that leave `step` more behind
  double step = 20 * kMegabyte;
  double leak_share = 0, leak = 0;  // of the requests so many leak so much
  std::uint64_t leak_begin = 0, leak_end = ~0ull;
  bool has_heap = false;     // tells its heap in use
  double fragmentation = 0;  // resident a request, not in use

  // How it is sampled.
  std::uint64_t requests_a_sample = 10;
  double requests_a_second = 40;
};

class InventedWorker {
 public:
  InventedWorker(const WorkerModel& model, std::uint32_t seed) : model_(model), random_(seed) {}

  // Serves until the next sample.
  LeakDetector::Sample Next() {
    for (std::uint64_t i = 0; i < model_.requests_a_sample; ++i) Serve();
    const double n = static_cast<double>(served_);
    const double in_use = model_.base + leaked_ + stepped_ +
                          model_.warm_up * (1 - std::exp(-n / model_.warm_up_requests));
    const double noise = model_.noise * std::normal_distribution<double>()(random_);
    LeakDetector::Sample sample;
    sample.age =
        std::chrono::milliseconds(static_cast<std::int64_t>(1000 * n / model_.requests_a_second));
    sample.requests = served_;
    sample.bytes = static_cast<std::uint64_t>(
        std::max(0.0, in_use + model_.tooth * tooth_ + noise + model_.fragmentation * n));
    sample.heap_bytes = model_.has_heap ? static_cast<std::uint64_t>(in_use) : 0;
    return sample;
  }
  std::uint64_t served() const { return served_; }

 private:
  double Uniform() { return std::uniform_real_distribution<double>()(random_); }

  void Serve() {
    ++served_;
    const bool leaks = served_ >= model_.leak_begin && served_ < model_.leak_end;
    if (leaks && model_.leak_share > 0 && Uniform() < model_.leak_share) leaked_ += model_.leak;
    for (const std::uint64_t request : model_.larger_pictures) {
      if (request == served_) stepped_ += model_.step;
    }
    if (model_.tooth == 0) return;
    tooth_ += 1 / tooth_length_;
    if (tooth_ < 1) return;
    tooth_ = 0.2 * Uniform();  // no purge is complete
    tooth_length_ = std::max(model_.tooth_requests * (0.5 + Uniform()), 2.0);
  }

  WorkerModel model_;
  std::mt19937 random_;
  std::uint64_t served_ = 0;
  double leaked_ = 0, stepped_ = 0;
  double tooth_ = 0, tooth_length_ = 100;
};

// A worker without a leak as there are many: any warm-up, teeth, noise and sampling.
inline WorkerModel AnyCleanWorker(std::uint32_t seed) {
  std::mt19937 random(seed * 2654435761u + 1);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  WorkerModel model;
  model.base = between(5, 40) * kMegabyte;
  model.warm_up = between(0, 12) * kMegabyte;
  model.warm_up_requests = std::exp(between(std::log(3), std::log(200)));
  model.tooth = random() % 4 == 0 ? 0 : between(0.5, 6) * kMegabyte;
  model.tooth_requests = std::exp(between(std::log(10), std::log(5000)));
  model.noise = random() % 4 == 0 ? 0 : between(0, 0.8) * kMegabyte;
  model.requests_a_second = std::exp(between(std::log(5), std::log(200)));
  model.requests_a_sample = std::max<std::uint64_t>(
      static_cast<std::uint64_t>(model.requests_a_second * between(0.25, 1)), 1);
  return model;
}

}  // namespace holostat::runtime
