#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "ipc/slot.h"
#include "runtime/alarm_reporter.h"
#include "runtime/control_server.h"
#include "runtime/event_log.h"
#include "runtime/event_loop.h"
#include "runtime/governor.h"
#include "runtime/heap_broker.h"
#include "runtime/memory_meter.h"
#include "runtime/process_meter.h"
#include "runtime/resource_account.h"
#include "runtime/restart_policy.h"
#include "runtime/service_status.h"
#include "runtime/worker_monitor.h"
#include "runtime/worker_pool.h"
#include "runtime/zygote_process.h"

namespace holostat::runtime {

// A service: a zygote, its workers, and the governor of their memory. No model code and no decoder
// ever runs in this process.
//
// Bound to one thread, that of loop(): whoever owns it calls loop().Step, or puts loop().fd() in a
// loop of its own. Makes this process a child subreaper (prctl): one supervisor a process.
class Supervisor {
 public:
  struct Options {
    ZygoteCommand zygote;
    std::uint32_t models = 0;  // to load, as in ipc::ZygoteReady
    WorkerPool::Options pool;
    WorkerMonitor::Options monitor;
    Governor::Options governor;
    bool govern = true;              // false: only measure (a negative control)
    std::uint64_t budget_bytes = 0;  // PSS of all processes; 0: only the control group's limit
    // From its start until it is ready; then it is killed, and another one started.
    std::chrono::milliseconds zygote_timeout{60000};
    std::chrono::seconds model_retry_after{60};  // one that could not be loaded
    std::chrono::minutes model_idle_after{10};   // then the governor may unload it
    ipc::SlotBudget::Limits slots;
    std::chrono::milliseconds tick{500};
    RestartPolicy::Options zygote_restart;
    // Workers sample their heaps from their start, so that a leak alarm can name the places: a
    // sample each 2^n bytes. 0: not until somebody asks.
    std::uint8_t heap_sample_log2 = 19;
    std::chrono::seconds report_interval{60};  // between two such lists
    std::size_t event_capacity = 64;
    EventLog::Listener on_event;  // may be empty
  };

  // Starts the first zygote; workers come while the loop runs. `clock` outlives it. Errors:
  // kNotFound, kOverloaded, kUnavailable.
  static Result<std::unique_ptr<Supervisor>> Start(const Clock& clock, const Options& options);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  EventLoop& loop() { return *loop_; }
  // Runs the loop until all workers are ready. Errors: kTimeout; kUnavailable when the zygote
  // cannot be started at all (it has said why on stderr).
  Result<void> WaitUntilReady(std::chrono::milliseconds timeout);

  // Room for the bytes of a request; fill it, seal it, submit it. Errors: those of
  // SlotBudget::Acquire.
  Result<ipc::SlotBudget::Lease> AcquireSlot(std::size_t bytes) { return slots_.Acquire(bytes); }
  // WorkerPool::Submit.
  Result<std::uint64_t> Submit(const ipc::Job& job, ipc::SlotBudget::Lease slot,
                               Completion complete);
  // The client has gone. A request that waits leaves the queue; of one at work the slot is freed
  // and the answer dropped. Its completion is not called any more. Unknown ids are fine.
  void Cancel(std::uint64_t request_id) { pool_->Cancel(request_id); }
  // No more frames of it will come. Unknown ones are fine.
  void EndSession(std::uint64_t session) { pool_->EndSession(session); }

  // The last events, and those that come: EventLog::Observe.
  const std::deque<ServiceEvent>& events() const { return log_.events(); }
  Result<EventLog::Observation> Observe(EventLog::Listener listener) {
    return log_.Observe(std::move(listener));
  }

  // A new zygote, and then new workers, one at a time; the old ones work until then. While
  // another one is loading: once more when that is ready, since it may have read older files.
  void Reload(std::string_view why);

  ServiceStatus Status();
  const WorkerPool& pool() const { return *pool_; }
  std::uint64_t service_pss_bytes() const { return service_pss_bytes_; }
  std::uint64_t peak_pss_bytes() const { return peak_pss_bytes_; }
  void ResetPeak() { peak_pss_bytes_ = service_pss_bytes_; }
  ZygoteProcess* zygote() { return zygote_.get(); }
  std::uint32_t zygote_load_ms() const { return zygote_load_ms_; }

  // Runs the loop until the lists of allocation sites that alarms asked for are there.
  void FinishReports(std::chrono::milliseconds timeout);

  // Finishes what was accepted within `grace`, ends all processes and gives the account: "0
  // leaked". After it the supervisor only answers Status.
  std::string Stop(std::chrono::milliseconds grace);

 private:
  Supervisor(const Clock& clock, const Options& options);

  Result<void> Begin();
  WorkerPool::Callbacks PoolCallbacks();
  WorkerMonitor::Callbacks MonitorCallbacks();

  // zygotes
  Result<void> StartNext(std::uint32_t models);
  void OnZygoteReady(const ipc::ZygoteReady& ready);
  void OnZygoteEnded(ZygoteProcess& zygote, const ExitStatus& status);
  void OnModelsMissing(std::uint32_t models);
  void StartNextLater();
  void RestartForMemory();
  void StartWhenAllAreGone();
  void UnloadIdle();

  // memory
  void Tick();
  void SampleAll();
  void Govern();
  void Act(const GovernorAction& action);
  void OnAlarm(const WorkerMonitor::Alarm& alarm);
  void AskForSites(Worker& worker);
  void ReapStrangers();
  bool EndOneStranger();

  // status and control
  ProcessStatus DescribeProcess(std::string role, std::uint32_t id, pid_t pid, SteadyTime since);
  ProcessStatus DescribeWorker(const Worker& worker);
  void OnHeapRequest(std::string_view line, std::unique_ptr<ControlServer::Reply> reply);
  Result<HeapBroker::Target> HeapTarget(const HeapRequest& request);
  static HeapBroker::Target TargetOf(Worker& worker);
  void OnControl(std::string_view request, std::unique_ptr<ControlServer::Reply> reply);

  const Clock& clock_;
  Options options_;
  std::unique_ptr<EventLoop> loop_;
  ResourceAccount before_;  // with the loop and nothing else of ours
  EventLog log_;
  ipc::SlotBudget slots_;
  Governor governor_;
  std::unique_ptr<MemoryMeter> group_;  // null without a control group
  std::vector<std::unique_ptr<MemoryMeter>> gpus_;
  std::unique_ptr<WorkerMonitor> monitor_;
  std::unique_ptr<HeapBroker> heap_;
  std::unique_ptr<AlarmReporter> reporter_;
  std::size_t reports_asked_ = 0;  // dumps on the way to the reporter
  SteadyTime next_report_{};
  std::unique_ptr<ZygoteProcess> zygote_, next_;  // the one that forks, and the one that is loading
  RestartPolicy zygote_restart_;
  std::unique_ptr<WorkerPool> pool_;
  std::unique_ptr<ControlServer> control_;
  std::uint32_t generation_ = 0;
  std::uint32_t zygote_load_ms_ = 0;
  std::uint64_t service_pss_bytes_ = 0, peak_pss_bytes_ = 0;
  std::vector<WorkerUse> uses_;
  std::map<std::uint32_t, SteadyTime> model_used_;  // by ipc::ModelBit
  EventLoop::Handle tick_, start_later_, next_deadline_, forgive_models_;
  bool reload_again_ = false;
  std::optional<std::uint32_t> evicting_for_;  // models to load once all workers have left
  bool stopped_ = false;
};

}  // namespace holostat::runtime
