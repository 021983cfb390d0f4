#include "runtime/pool_leak_detector.h"

#include <algorithm>

#include "base/check.h"

namespace holostat::runtime {
namespace {

// Of the growth that one worker may show: what warms up, and teeth of an allocator, add up over
// workers, though they seldom come together.
constexpr double kShare = 0.65;

}  // namespace

PoolLeakDetector::PoolLeakDetector(const LeakDetector::Options& options)
    : options_(options), detector_(options) {}

LeakDetector::Options PoolLeakDetector::OptionsFor(std::size_t workers) const {
  LeakDetector::Options options = options_;
  options.min_growth_bytes *= std::max(kShare * static_cast<double>(workers), 1.0);
  options.budget_bytes *= workers;
  return options;
}

void PoolLeakDetector::Add(std::uint32_t worker_id, std::chrono::milliseconds now,
                           LeakDetector::Sample sample) {
  if (sample.requests < options_.warm_up_requests) return;
  const auto [member, is_new] = members_.try_emplace(worker_id, Member{sample, sample});
  member->second.last = sample;
  if (is_new) detector_ = LeakDetector(OptionsFor(members_.size()));
  LeakDetector::Sample sum{.age = now};
  bool has_heap = true;
  for (const auto& [id, each] : members_) {
    sum.requests += each.last.requests;
    sum.bytes += each.last.bytes;
    sum.heap_bytes += each.last.heap_bytes;
    has_heap &= each.last.heap_bytes > 0;
  }
  if (!has_heap) sum.heap_bytes = 0;
  detector_.Add(sum);
}

void PoolLeakDetector::Forget(std::uint32_t worker_id) {
  if (members_.erase(worker_id) > 0) detector_ = LeakDetector(OptionsFor(members_.size()));
}

std::uint32_t PoolLeakDetector::Suspect() const {
  HOLO_CHECK(!members_.empty());
  const auto growth = [](const auto& entry) {
    return static_cast<double>(entry.second.last.bytes) -
           static_cast<double>(entry.second.first.bytes);
  };
  return std::max_element(members_.begin(), members_.end(),
                          [&](const auto& a, const auto& b) { return growth(a) < growth(b); })
      ->first;
}

}  // namespace holostat::runtime
