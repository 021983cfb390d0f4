#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include "runtime/leak_detector.h"

namespace holostat::runtime {

// Watches the private memory of all workers of a pool together.
//
// Workers run the same code, so what leaks in one leaks in each: together they show in 500
// requests what each of two alone has too few to tell. When a worker joins or leaves, all begins
// anew: what is known of one life tells nothing of another. Bounded by the number of workers.
// Bound to one thread.
class PoolLeakDetector {
 public:
  // `options` as for one worker; the growth that matters is scaled by the number of workers.
  explicit PoolLeakDetector(const LeakDetector::Options& options);

  // `now`: of the service. The rest of the sample is the worker's own.
  void Add(std::uint32_t worker_id, std::chrono::milliseconds now, LeakDetector::Sample sample);
  void Forget(std::uint32_t worker_id);

  LeakVerdict Verdict() { return detector_.Verdict(); }
  // The worker that has grown most since its warm-up. REQUIRES: a sample was added.
  std::uint32_t Suspect() const;

 private:
  struct Member {
    LeakDetector::Sample first, last;  // since its warm-up
  };
  LeakDetector::Options OptionsFor(std::size_t workers) const;

  LeakDetector::Options options_;
  LeakDetector detector_;
  std::map<std::uint32_t, Member> members_;
};

}  // namespace holostat::runtime
