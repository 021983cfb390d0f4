#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "runtime/leak_detector.h"
#include "runtime/pool_leak_detector.h"
#include "runtime/process_meter.h"
#include "runtime/recycle_policy.h"
#include "runtime/worker.h"

namespace holostat::runtime {

// Watches what each worker holds, and all of them together, and says when one has to go: over a
// limit, or leaking.
//
// A worker is sampled when it has served `sample_requests` since the last time, and at each Tick.
// Bounded by the number of workers. Bound to one thread.
class WorkerMonitor {
 public:
  struct Options {
    std::uint64_t sample_requests = 8;
    RecyclePolicy::Options recycle;
    bool recycle_workers = true;  // false: only watch (a negative control)
    LeakDetector::Options memory_leaks{.warm_up_requests = 30, .unit = {}};
    LeakDetector::Options fd_leaks = LeakDetector::Options::ForCount("descriptors");
  };
  struct Alarm {
    std::uint32_t worker_id = 0;
    std::string text;  // one sentence
    bool of_memory = true;
  };
  struct Callbacks {
    std::function<void(Worker&, RetireReason)> retire;
    std::function<void(Worker&)>
        trim;  // over its budget: it may give memory back before it is retired
    std::function<void(const Alarm&)> alarm;  // once a worker and quantity
  };

  WorkerMonitor(const Clock& clock, const Options& options, Callbacks callbacks);

  void OnJobDone(Worker& worker);
  void Tick(Worker& worker) { Sample(worker); }
  void Forget(std::uint32_t worker_id);

  // The last sample, if there is one; and the last verdict on its memory.
  const ProcessSample* LastSample(std::uint32_t worker_id) const;
  Growth LastGrowth(std::uint32_t worker_id) const;

 private:
  struct Record {
    Record(const Options& options) : memory(options.memory_leaks), fds(options.fd_leaks) {}
    LeakDetector memory, fds;
    ProcessSample last;
    Growth growth = Growth::kWarmUp;
    std::uint32_t first_fds = 0;
    std::uint64_t sampled_at_requests = 0;
    bool was_trimmed = false, memory_alarm = false, fd_alarm = false;
  };

  void Sample(Worker& worker);
  void CheckLimits(Worker& worker, Record& record);
  void CheckLeaks(Worker& worker, Record& record);
  void CheckPool();

  const Clock& clock_;
  Options options_;
  RecyclePolicy policy_;
  Callbacks callbacks_;
  const SteadyTime started_;
  PoolLeakDetector pool_;
  std::map<std::uint32_t, Record> records_;
};

}  // namespace holostat::runtime
