#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/theil_sen.h"

namespace holostat::runtime {

// What a series of memory samples looks like.
enum class Growth : std::uint8_t {
  kWarmUp = 1,     // too few samples, or still filling what it will reuse
  kPlateau,        // flat: the interval contains zero, or too slow or too little to matter
  kStep,           // rose once, or a few times, and stays there
  kLeak,           // rises steadily
  kFragmentation,  // resident rises while the heap in use does not
};
std::string_view GrowthName(Growth growth);  // "warm-up", "plateau", ...

// Samples in order of time. `requests` never falls.
struct GrowthWindow {
  std::span<const double> requests;
  std::span<const double> held;  // bytes, or a count
  std::span<const double> heap;  // bytes in use; empty where unknown

  std::size_t size() const { return requests.size(); }
  double Requests() const { return requests.empty() ? 0 : requests.back() - requests.front(); }
  GrowthWindow Part(std::size_t begin, std::size_t end) const;
};

struct GrowthTrend {
  Growth growth = Growth::kWarmUp;
  Slope slope;  // of held, a request
  double confidence = 0;
};

// Tells a leak from what only looks like one. The rules and where their numbers come from:
// docs/leak-detector.md. Bound to one thread; no heap call in Classify.
class GrowthClassifier {
 public:
  struct Options {
    std::size_t capacity = 128;  // of a window
    double confidence = 0.99;    // of the slope's interval
    double min_slope = 0;        // what grows slower, a request, is a plateau
    double min_growth = 0;       // and what has grown less
    double min_requests = 200;   // fewer tell nothing
  };
  explicit GrowthClassifier(const Options& options);

  // REQUIRES: at most `capacity` samples.
  GrowthTrend Classify(const GrowthWindow& window) { return Classify(window, 0); }

 private:
  struct Thirds;
  struct Jump;

  GrowthTrend Classify(const GrowthWindow& window, int depth);
  GrowthTrend ClassifyRise(const GrowthWindow& window, const Slope& slope, const Thirds& thirds);
  GrowthTrend Split(const GrowthWindow& window, const Slope& slope, const Jump& jump, int depth);
  bool HeapRises(const GrowthWindow& window, const Slope& held);
  static std::size_t FloorStep(const GrowthWindow& window);
  std::span<const double> Floor(const GrowthWindow& window);
  Jump LargestJump(const GrowthWindow& window);
  double Evenness(const GrowthWindow& window);
  double NeededGrowth(const GrowthWindow& window, const Slope& slope);
  double Sureness(const GrowthWindow& window, const Slope& slope, double per_request);
  std::span<double> Residuals(const GrowthWindow& window, const Slope& slope);

  Options options_;
  std::vector<double> scratch_, floor_, residuals_;
};

}  // namespace holostat::runtime
