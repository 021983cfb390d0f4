// The part of Supervisor that measures and governs memory.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/heap_control.h"
#include "runtime/supervisor.h"

namespace holostat::runtime {

void Supervisor::Tick() {
  SampleAll();
  Govern();
  StartWhenAllAreGone();
  ReapStrangers();
}

void Supervisor::SampleAll() {
  service_pss_bytes_ = 0;
  uses_.clear();
  const auto add = [&](pid_t pid) {
    const auto sample = SampleProcess(pid, SampleDetail::kMemory);
    if (sample) service_pss_bytes_ += sample->pss_bytes;
  };
  add(::getpid());
  if (zygote_ != nullptr) add(zygote_->pid());
  if (next_ != nullptr) add(next_->pid());
  // A sample may make a worker retire, so that others are forked: by index, and only those of now.
  const auto& workers = pool_->workers();
  for (std::size_t i = 0, count = workers.size(); i < count && i < workers.size(); ++i) {
    Worker& worker = *workers[i];
    monitor_->Tick(worker);
    const auto sample = SampleProcess(worker.pid(), SampleDetail::kMemory);
    if (!sample) continue;
    service_pss_bytes_ += sample->pss_bytes;
    uses_.push_back({worker.id(), sample->uss_bytes});
  }
  peak_pss_bytes_ = std::max(peak_pss_bytes_, service_pss_bytes_);
}

void Supervisor::Govern() {
  GovernorSample sample{.at = clock_.Now(),
                        .service_bytes = service_pss_bytes_,
                        .budget_bytes = options_.budget_bytes,
                        .group_used_bytes = 0,
                        .group_limit_bytes = std::nullopt,
                        .stall_percent = std::nullopt,
                        .workers = uses_};
  if (const auto reading = group_ ? group_->Read() : Result<MeterReading>(MeterReading{})) {
    sample.group_used_bytes = reading->used_bytes;
    sample.group_limit_bytes = reading->limit_bytes;
    sample.stall_percent = reading->stall_percent;
  }
  if (!options_.govern || stopped_) return;
  const MemoryLevel before = governor_.level();
  const GovernorDecision decision = governor_.Decide(sample);
  if (decision.level != before) {
    log_.Add(fmt::format("memory level {} -> {}: {}", MemoryLevelName(before),
                         MemoryLevelName(decision.level), decision.reason));
  }
  for (const GovernorAction& action : decision.actions) Act(action);
}

void Supervisor::Act(const GovernorAction& action) {
  using Kind = GovernorAction::Kind;
  switch (action.kind) {
    case Kind::kTrim:
      pool_->BroadcastTrim();
      ReleaseFreeHeap();
      break;
    case Kind::kUnloadIdle:
      UnloadIdle();
      break;
    case Kind::kUseLighter:
      pool_->UseLighter(true);
      break;
    case Kind::kUseRequested:
      pool_->UseLighter(false);
      break;
    case Kind::kRecycle:
      if (Worker* worker = pool_->Find(action.worker_id))
        pool_->Evict(*worker, RetireReason::kPressure);
      break;
    case Kind::kRefuse:
      pool_->Refuse(true);
      break;
    case Kind::kAccept:
      pool_->Refuse(false);
      break;
    case Kind::kRestartZygote:
      RestartForMemory();
      break;
  }
}

void Supervisor::OnAlarm(const WorkerMonitor::Alarm& alarm) {
  Worker* worker = pool_->Find(alarm.worker_id);
  if (worker == nullptr) return;  // it has just left
  ++pool_->stats().totals.leak_alarms;
  log_.Add(
      fmt::format("leak alarm: worker {} (pid {}): {}", worker->id(), worker->pid(), alarm.text));
  // It is asked before it is retired: a worker answers what it is asked before it leaves.
  if (alarm.of_memory && options_.heap_sample_log2 != 0) AskForSites(*worker);
  if (options_.monitor.recycle_workers) pool_->Retire(*worker, RetireReason::kLeak);
}

// The places in the code that hold most of what the worker has allocated since it came up.
void Supervisor::AskForSites(Worker& worker) {
  if (clock_.Now() < next_report_ || stopped_) return;
  next_report_ = clock_.Now() + options_.report_interval;
  ++reports_asked_;
  const std::uint32_t id = worker.id();
  const HeapRequest dump{.action = HeapRequest::Action::kDump};
  heap_->Ask(TargetOf(worker), dump, [this, id](const Result<std::string>& text) {
    --reports_asked_;
    auto snapshot = text ? ParseHeapSnapshot(*text) : tl::unexpected(text.error());
    if (!snapshot) {
      log_.Add(fmt::format("no list of allocation sites of worker {}: {}", id,
                           snapshot.error().message));
    } else if (reporter_) {
      reporter_->Report(*std::move(snapshot), [this, id](const std::string& report) {
        log_.Add(fmt::format("worker {} leaks from:\n{}", id, report));
      });
    }
  });
}

}  // namespace holostat::runtime
