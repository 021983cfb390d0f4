#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holostat::runtime {

// A robust line through points: the median of the slopes of all pairs (Theil 1950, Sen 1968), with
// the confidence interval of Sen 1968 (ranks from the variance of Kendall's S, ties corrected).
struct Slope {
  double per_x = 0;          // estimate
  double low = 0, high = 0;  // interval
};
// `confidence` in (0, 1). Nothing with fewer than 8 points or all x equal. Uses `scratch` for the
// pairwise slopes: no heap call once it has its capacity.
std::optional<Slope> TheilSen(std::span<const double> x, std::span<const double> y,
                              double confidence, std::vector<double>& scratch);

// What a series of memory samples looks like.
enum class Growth : std::uint8_t {
  kWarmUp = 1,     // too few samples, or still filling what it will reuse
  kPlateau,        // flat: the interval contains zero, or too slow to matter
  kStep,           // rose once and stays there
  kLeak,           // rises steadily
  kFragmentation,  // resident rises while the heap in use does not
};
std::string_view GrowthName(Growth growth);

struct LeakVerdict {
  Growth growth = Growth::kWarmUp;
  double bytes_per_request = 0;  // slope and its interval
  double low = 0, high = 0;
  double bytes_per_minute = 0;
  double confidence = 0;                    // 0..1: how sure the verdict is
  std::optional<double> minutes_to_budget;  // at this rate; only for kLeak and kFragmentation
  std::string Describe() const;             // one sentence for a person
};

// Watches one quantity of one process: private memory, or fds, threads, mappings.
//
// Keeps at most `capacity` samples: when full, every second one leaves, so that it always spans
// the whole life since warm-up with fixed memory. Bound to one thread. No heap call in Add after
// construction.
class LeakDetector {
 public:
  struct Options {
    std::size_t capacity = 128;
    std::uint64_t warm_up_requests = 50;
    double confidence = 0.99;
    double min_bytes_per_request = 256;  // what grows slower is a plateau
    double min_growth_bytes = 2u << 20;  // and what has grown less
    std::uint64_t budget_bytes = 0;      // 0: unknown
  };
  explicit LeakDetector(const Options& options);

  struct Sample {
    std::chrono::milliseconds age{0};  // of the process
    std::uint64_t requests = 0;        // served so far
    std::uint64_t bytes = 0;           // private memory (or a count)
    std::uint64_t heap_bytes = 0;      // in use, as its allocator counts; 0: unknown
  };
  void Add(const Sample& sample);

  LeakVerdict Verdict();  // of all samples so far
  std::size_t samples() const;

 private:
  Options options_;
  std::vector<Sample> samples_;
  std::vector<double> scratch_;
};

}  // namespace holostat::runtime
