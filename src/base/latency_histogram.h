#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace holostat {

// How long things took, in a fixed 10 KB: quantiles of any number of durations within 1.6 %.
//
// Log-linear buckets, as in HdrHistogram: each power of two of nanoseconds is cut into 32 equal
// parts, and a quantile is the middle of its part. Negative durations count as 0, those over 4.8
// hours as 4.8 hours; Max() is exact for both. Thread-compatible. No heap call.
class LatencyHistogram {
 public:
  void Record(std::chrono::nanoseconds duration);

  // The smallest duration that at least `q` (clamped to 0..1) of all recorded ones do not exceed; 0
  // when there are none. Linear in the number of buckets.
  std::chrono::nanoseconds Quantile(double q) const;
  std::chrono::nanoseconds max() const { return max_; }
  std::uint64_t count() const { return count_; }

  // How many do not exceed `bound`, and the sum of all: for cumulative histograms. The first is
  // within the width of one part, never falls as `bound` rises, and is linear in the buckets.
  std::uint64_t CountUpTo(std::chrono::nanoseconds bound) const;
  double sum_seconds() const { return sum_seconds_; }

  void Reset() { *this = LatencyHistogram(); }

 private:
  static constexpr unsigned kPartBits = 5;
  static constexpr unsigned kValueBits = 44;
  static constexpr std::uint64_t kParts = 1u << kPartBits;
  static constexpr std::size_t kBuckets = kParts * (kValueBits - kPartBits + 1);

  static std::size_t BucketOf(std::uint64_t ns);
  static std::uint64_t MiddleOf(std::size_t bucket);

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds max_{0};
  double sum_seconds_ = 0;  // an integer of nanoseconds would be full after 292 years of waiting
};

}  // namespace holostat
