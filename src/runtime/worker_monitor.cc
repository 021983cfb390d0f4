#include "runtime/worker_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holostat::runtime {
namespace {

bool IsAlarm(Growth growth) { return growth == Growth::kLeak || growth == Growth::kFragmentation; }

LeakDetector::Options PoolOptions(const WorkerMonitor::Options& options) {
  LeakDetector::Options pool = options.memory_leaks;
  pool.budget_bytes = options.recycle.max_uss_bytes;
  return pool;
}

}  // namespace

WorkerMonitor::WorkerMonitor(const Clock& clock, const Options& options, Callbacks callbacks)
    : clock_(clock),
      options_(options),
      policy_(options.recycle),
      callbacks_(std::move(callbacks)),
      started_(clock.Now()),
      pool_(PoolOptions(options)) {
  options_.memory_leaks.budget_bytes = options.recycle.max_uss_bytes;
  options_.fd_leaks.budget_bytes = options.recycle.max_extra_fds;
}

void WorkerMonitor::OnJobDone(Worker& worker) {
  const auto found = records_.find(worker.id());
  const std::uint64_t sampled = found == records_.end() ? 0 : found->second.sampled_at_requests;
  if (worker.requests == 1 || worker.requests >= sampled + options_.sample_requests) Sample(worker);
}

void WorkerMonitor::Sample(Worker& worker) {
  if (worker.requests == 0 || worker.state == WorkerState::kLeaving) return;
  const auto sample = SampleProcess(worker.pid(), SampleDetail::kMemory);
  if (!sample) return;  // it has just died: its end is told elsewhere
  Record& record = records_.try_emplace(worker.id(), options_).first->second;
  if (record.first_fds == 0) record.first_fds = sample->fds;
  record.last = *sample;
  record.sampled_at_requests = worker.requests;
  const auto age =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - worker.created);
  const LeakDetector::Sample memory{age, worker.requests, sample->uss_bytes, worker.heap_bytes};
  record.memory.Add(memory);
  pool_.Add(worker.id(),
            std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - started_), memory);
  record.fds.Add({age, worker.requests, sample->fds, 0});
  CheckLeaks(worker, record);
  CheckPool();
  CheckLimits(worker, record);
}

void WorkerMonitor::CheckLimits(Worker& worker, Record& record) {
  if (!options_.recycle_workers || worker.retire) return;
  const auto age =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - worker.created);
  const std::uint32_t extra_fds = record.last.fds - std::min(record.last.fds, record.first_fds);
  const auto reason =
      policy_.Check({worker.id(), worker.requests, age, record.last.uss_bytes, extra_fds});
  if (!reason) {
    record.was_trimmed = false;
    return;
  }
  // Free pages that the allocator keeps are no reason to go: it may give them back first.
  if (*reason == RetireReason::kMemory && !std::exchange(record.was_trimmed, true)) {
    callbacks_.trim(worker);
    return;
  }
  callbacks_.retire(worker, *reason);
}

void WorkerMonitor::CheckLeaks(Worker& worker, Record& record) {
  const LeakVerdict memory = record.memory.Verdict();
  record.growth = memory.growth;
  if (IsAlarm(memory.growth) && !std::exchange(record.memory_alarm, true)) {
    callbacks_.alarm({worker.id(), fmt::format("memory: {}", memory.Describe()), true});
  }
  if (record.fd_alarm) return;
  const LeakVerdict fds = record.fds.Verdict();
  if (fds.growth == Growth::kLeak) {
    record.fd_alarm = true;
    callbacks_.alarm({worker.id(), fds.Describe(), false});
  }
}

// What one worker alone is too young to tell. The one that has grown most answers for all.
void WorkerMonitor::CheckPool() {
  const LeakVerdict verdict = pool_.Verdict();
  if (!IsAlarm(verdict.growth)) return;
  const std::uint32_t suspect = pool_.Suspect();
  const auto found = records_.find(suspect);
  if (found == records_.end() || std::exchange(found->second.memory_alarm, true)) return;
  callbacks_.alarm(
      {suspect, fmt::format("memory of all workers: {}", verdict.Describe()), true});
}

void WorkerMonitor::Forget(std::uint32_t worker_id) {
  records_.erase(worker_id);
  pool_.Forget(worker_id);
}

const ProcessSample* WorkerMonitor::LastSample(std::uint32_t worker_id) const {
  const auto found = records_.find(worker_id);
  return found == records_.end() ? nullptr : &found->second.last;
}

Growth WorkerMonitor::LastGrowth(std::uint32_t worker_id) const {
  const auto found = records_.find(worker_id);
  return found == records_.end() ? Growth::kWarmUp : found->second.growth;
}

}  // namespace holostat::runtime
