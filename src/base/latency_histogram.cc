#include "base/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace holostat {

// Below 2 * kParts each bucket is one nanosecond. Above, a value keeps its leading kPartBits + 1
// bits: `shift` numbers the power of two, and the kept bits, kParts..2 * kParts - 1, the part in
// it.
std::size_t LatencyHistogram::BucketOf(std::uint64_t ns) {
  const auto width = static_cast<unsigned>(std::bit_width(ns));
  const unsigned shift = width > kPartBits + 1 ? width - kPartBits - 1 : 0;
  return kParts * shift + (ns >> shift);
}

std::uint64_t LatencyHistogram::MiddleOf(std::size_t bucket) {
  if (bucket < 2 * kParts) return bucket;
  const std::uint64_t shift = bucket / kParts - 1;
  const std::uint64_t low = (bucket % kParts + kParts) << shift;
  return low + ((std::uint64_t{1} << shift) >> 1);
}

void LatencyHistogram::Record(std::chrono::nanoseconds duration) {
  constexpr std::uint64_t kLargest = (std::uint64_t{1} << kValueBits) - 1;
  duration = std::max(duration, std::chrono::nanoseconds(0));
  ++buckets_[BucketOf(std::min(static_cast<std::uint64_t>(duration.count()), kLargest))];
  ++count_;
  max_ = std::max(max_, duration);
  sum_seconds_ += std::chrono::duration<double>(duration).count();
}

std::uint64_t LatencyHistogram::CountUpTo(std::chrono::nanoseconds bound) const {
  if (bound >= max_) return count_;
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    if (static_cast<std::int64_t>(MiddleOf(bucket)) > bound.count()) break;
    seen += buckets_[bucket];
  }
  return seen;
}

std::chrono::nanoseconds LatencyHistogram::Quantile(double q) const {
  if (count_ == 0) return std::chrono::nanoseconds(0);
  const double share = std::isnan(q) ? 0 : std::clamp(q, 0.0, 1.0);
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (seen < wanted) continue;
    return std::min(max_, std::chrono::nanoseconds(MiddleOf(bucket)));
  }
  return max_;
}

}  // namespace holostat
