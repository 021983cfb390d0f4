#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/growth_classifier.h"
#include "runtime/theil_sen.h"

namespace holostat::runtime {

struct LeakVerdict {
  Growth growth = Growth::kWarmUp;
  double bytes_per_request = 0;  // slope and its interval
  double low = 0, high = 0;
  double bytes_per_minute = 0;
  double confidence = 0;                    // 0..1: how sure the verdict is
  std::optional<double> minutes_to_budget;  // at this rate; only for kLeak and kFragmentation
  std::string_view unit;                    // static; empty: bytes
  std::string Describe() const;             // one sentence for a person
};

// Watches one quantity of one process: private memory, or fds, threads, mappings.
//
// Keeps two series in fixed memory: at most `capacity` samples of the whole life since warm-up
// (when full, every second one leaves), and the last capacity / 2, so that a leak that starts late
// is not hidden by a long quiet life. Samples without a request since the one before replace it;
// fewer requests than before are another process's, and all begins anew. Bound to one thread. No
// heap call in Add and Verdict after construction.
class LeakDetector {
 public:
  struct Options {
    std::size_t capacity = 128;  // at least 32
    std::uint64_t warm_up_requests = 50;
    double confidence = 0.99;
    double min_bytes_per_request = 256;   // what grows slower is a plateau
    double min_growth_bytes = 12u << 20;  // and what has grown less; early 4 times as much counts
    std::uint64_t budget_bytes = 0;       // 0: unknown
    std::string_view unit;                // static, for Describe: "fds"; empty: bytes

    // For what is counted: from one in 1000 requests on, and 8 of them.
    static Options ForCount(std::string_view unit);
  };
  explicit LeakDetector(const Options& options);

  struct Sample {
    std::chrono::milliseconds age{0};  // of the process
    std::uint64_t requests = 0;        // served so far
    std::uint64_t bytes = 0;           // private memory (or a count)
    std::uint64_t heap_bytes = 0;      // in use, as its allocator counts; 0: unknown
  };
  void Add(const Sample& sample);

  LeakVerdict Verdict();        // of all samples so far
  std::size_t samples() const;  // of the whole life that are kept

 private:
  GrowthWindow Window(const std::vector<Sample>& samples);
  LeakVerdict Verdict(const std::vector<Sample>& samples);

  Options options_;
  GrowthClassifier classifier_;
  std::vector<Sample> life_, recent_;
  std::size_t stride_ = 1, skipped_ = 0;  // of the samples one in `stride_` goes into life_
  std::vector<double> requests_, held_, heap_;
};

}  // namespace holostat::runtime
