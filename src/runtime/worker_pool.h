#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/lru_cache.h"
#include "base/result.h"
#include "runtime/event_log.h"
#include "runtime/event_loop.h"
#include "runtime/pool_stats.h"
#include "runtime/request.h"
#include "runtime/restart_policy.h"
#include "runtime/session_bindings.h"
#include "runtime/worker.h"
#include "runtime/zygote_process.h"

namespace holostat::runtime {

// Requests in, answers out, whatever happens to the workers in between.
//
// A request waits in a queue that is bounded in number and age, is worked on by one worker within a
// deadline, and is tried once more when that worker dies. One that has ended two workers is
// refused, and the same bytes and options are refused for a while. A worker is replaced when it
// died, and before it leaves when it retires: then there is one more than usual for a moment, never
// two.
//
// A request of a session goes to the worker that the session is bound to, and waits for it while
// others go on. Its first one binds it to the idle worker with the fewest sessions; a worker that
// leaves or dies takes its bindings with it, and the next request binds anew.
//
// Bound to the thread of its loop.
class WorkerPool {
 public:
  struct Options {
    std::size_t workers = 2;
    std::size_t queue_capacity = 64;                 // requests; then new ones are refused
    std::chrono::milliseconds queue_max_age{10000};  // of each wait; then a request is refused
    std::chrono::milliseconds job_timeout{10000};    // then its worker is killed
    // So long after it came, a request is tried again when somebody else kills its worker.
    std::chrono::milliseconds retry_for{30000};
    std::chrono::milliseconds start_timeout{5000};  // from the order to fork until it is ready
    std::chrono::milliseconds leave_timeout{1000};  // from the order to stop until its end
    std::size_t answer_bytes = 64u << 20;           // the largest answer
    std::size_t poison_capacity = 256;              // refused requests that are remembered
    std::chrono::minutes poison_ttl{10};
    std::size_t session_capacity = 256;  // that are remembered (SessionBindings)
    RestartPolicy::Options restart;
  };
  struct Callbacks {
    std::function<void(Worker&)> ready;     // it has come up
    std::function<void(Worker&)> job_done;  // after each one, the worker is idle
    std::function<void(const Worker&)> worker_gone;
    std::function<void(Worker&, const ipc::HeapDone&)> heap_done;
    std::function<void(std::uint32_t models)>
        models_needed;  // a request waits for a model not loaded
    std::function<void(std::string_view why)> zygote_suspect;  // another one may do better
    std::function<std::uint64_t()> oom_kills;                  // by the kernel, so far
  };

  // `loop` and `log` outlive the pool.
  WorkerPool(EventLoop& loop, EventLog& log, const Options& options, Callbacks callbacks);
  ~WorkerPool();
  static constexpr std::uint32_t kMaxAttemptsWithoutMemory = 4;

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Where workers come from; null while there is none. Workers of older generations retire.
  void SetZygote(ZygoteProcess* zygote, std::uint32_t generation);
  void OnForked(const ipc::WorkerForked& forked);

  // Takes a request: `complete` is called exactly once, later. `slot` is sealed. Errors, at once:
  // kOverloaded (queue full, or refusing for want of memory), kUnsupported (poison),
  // kUnavailable (stopping, or its model cannot be loaded).
  Result<std::uint64_t> Submit(const ipc::Job& job, ipc::SlotBudget::Lease slot,
                               Completion complete);

  // Supervisor::Cancel, Supervisor::EndSession.
  void Cancel(std::uint64_t request_id);
  void EndSession(std::uint64_t session) { sessions_.EndSession(session); }

  void Retire(Worker& worker, RetireReason reason);
  void RetireAll(RetireReason reason);
  // It leaves as soon as it is idle, before there is a successor: for want of memory.
  void Evict(Worker& worker, RetireReason reason);
  void EvictAll(RetireReason reason);
  // Models that a zygote has failed to load: requests for them are refused where no worker has it,
  // and nobody is asked for it.
  void SetUnloadable(std::uint32_t models);
  void UseLighter(bool lighter) { lighter_ = lighter; }
  void Refuse(bool refusing) { refusing_ = refusing; }
  void BroadcastTrim();

  // No new requests. Those accepted are finished until `deadline`, then failed; then all workers
  // leave.
  void Stop(SteadyTime deadline);
  bool stopped() const { return stopping_ && workers_.empty() && queue_.empty(); }

  const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }
  Worker* Find(std::uint32_t id);
  std::size_t queue_length() const { return queue_.size(); }
  std::size_t ready_workers() const;
  PoolStats& stats() { return stats_; }
  const PoolStats& stats() const { return stats_; }
  const Options& options() const { return options_; }

 private:
  void OnReady(Worker& worker);
  void OnJobDone(Worker& worker, const ipc::JobDone& done);
  void OnGarbage(Worker& worker);
  void OnEnded(Worker& worker, const ExitStatus& status);
  void OnHung(std::uint32_t id);
  void OnSlowStart(std::uint32_t id);

  void Balance();
  bool MayForkNow();
  void ForkOne();
  void StopSurplus();
  void LetLeave(Worker& worker);
  void Remove(Worker& worker);

  void Dispatch();
  Worker* IdleWorkerFor(const Request& request);
  Worker* WorkerOfSession(const ipc::Job& job);
  bool MayWorkNow(const Worker& worker) const;
  bool CanServe(const Worker& worker, const ipc::Job& job) const;
  bool IsHopeless(const ipc::Job& job) const;
  bool Assign(Worker& worker, std::unique_ptr<Request> request);
  void Sweep();
  void FailQueue(const Error& error);
  void FailQueued(const std::function<bool(const Request&)>& is_wanted, const Error& error);

  void Finish(std::unique_ptr<Request> request, Result<Answer> answer);
  void RetryOrRefuse(std::unique_ptr<Request> request, std::optional<KillReason> killed,
                     bool was_read);
  std::string CountExit(Worker& worker, const ExitStatus& status);
  void NoteFirstAnswer(Worker& worker, const ipc::JobDone& done);

  EventLoop& loop_;
  EventLog& log_;
  Options options_;
  Callbacks callbacks_;
  ZygoteProcess* zygote_ = nullptr;  // not owned; until the next SetZygote
  std::uint32_t generation_ = 0;
  std::uint32_t unloadable_ = 0;                  // models
  std::vector<std::unique_ptr<Worker>> workers_;  // at most options_.workers + 1 and those leaving
  std::deque<std::unique_ptr<Request>> queue_;    // at most queue_capacity and one retry a worker
  std::deque<SteadyTime> deaths_;                 // not yet replaced; at most one a worker
  LruCache<std::string, std::uint32_t> poison_;   // SHA-256 of a request -> workers it ended
  SessionBindings sessions_;
  RestartPolicy restart_;
  PoolStats stats_;
  std::uint64_t next_request_ = 1;
  std::uint32_t next_worker_ = 1;
  std::uint64_t known_oom_kills_ = 0;
  bool lighter_ = false, refusing_ = false, stopping_ = false;
  SteadyTime stop_deadline_{};
  EventLoop::Handle sweep_, balance_later_;
};

}  // namespace holostat::runtime
