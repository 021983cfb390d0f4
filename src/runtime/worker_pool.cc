#include "runtime/worker_pool.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSweepPeriod(100);
constexpr std::uint32_t kSuspectZygoteAfter = 5;  // workers in a row that died at their start

double Milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

bool IsServing(const Worker& worker) {
  return worker.state == WorkerState::kIdle || worker.state == WorkerState::kBusy;
}

bool WillStay(const Worker& worker) {
  return !worker.retire && worker.state != WorkerState::kLeaving;
}

}  // namespace

WorkerPool::WorkerPool(EventLoop& loop, EventLog& log, const Options& options, Callbacks callbacks)
    : loop_(loop),
      log_(log),
      options_(options),
      callbacks_(std::move(callbacks)),
      poison_({.capacity = options.poison_capacity, .ttl = options.poison_ttl}, loop.clock()),
      sessions_(options.session_capacity),
      restart_(options.restart) {
  known_oom_kills_ = callbacks_.oom_kills();
  sweep_ = loop_.Every(kSweepPeriod, [this] { Sweep(); });
}

WorkerPool::~WorkerPool() {
  stopping_ = true;
  for (const auto& worker : workers_) {
    if (auto request = worker->TakeRequest()) queue_.push_back(std::move(request));
  }
  workers_.clear();  // kills them
  FailQueue({ErrorCode::kUnavailable, "the service has ended"});
}

Worker* WorkerPool::Find(std::uint32_t id) {
  const auto found =
      std::ranges::find(workers_, id, [](const auto& worker) { return worker->id(); });
  return found == workers_.end() ? nullptr : found->get();
}

std::size_t WorkerPool::ready_workers() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(workers_, [](const auto& worker) { return IsServing(*worker); }));
}

// --- where workers come from -----------------------------------------------------------------

void WorkerPool::SetZygote(ZygoteProcess* zygote, std::uint32_t generation) {
  zygote_ = zygote;
  // What was asked of the old one will not come any more; a worker that exists and was not told of
  // finds its channel closed, and ends.
  std::erase_if(workers_,
                [](const auto& worker) { return worker->state == WorkerState::kForking; });
  if (zygote == nullptr) return;
  generation_ = generation;
  for (const auto& worker : workers_) {
    if (worker->generation != generation && WillStay(*worker))
      worker->retire = RetireReason::kReload;
  }
  Balance();
}

// Forks what is missing. One more than usual, at most, is there at a time, those leaving included:
// so replacing all workers takes the memory of one. While one is evicted there is none more.
void WorkerPool::Balance() {
  StopSurplus();
  if (stopping_) return;
  const auto staying = [&] {
    return static_cast<std::size_t>(
        std::ranges::count_if(workers_, [](const auto& worker) { return WillStay(*worker); }));
  };
  const bool evicting =
      std::ranges::any_of(workers_, [](const auto& worker) { return worker->evict; });
  const std::size_t most = options_.workers + (evicting ? 0 : 1);
  while (staying() < options_.workers && workers_.size() < most && MayForkNow()) {
    ForkOne();
  }
  // Who died while its successor was up already needs no other one.
  if (staying() >= options_.workers) deaths_.clear();
}

bool WorkerPool::MayForkNow() {
  if (zygote_ == nullptr || !zygote_->is_ready()) return false;
  const SteadyTime at = restart_.MayStartAt();
  if (at <= loop_.Now()) return true;
  balance_later_ = loop_.At(at, [this] { Balance(); });
  return false;
}

void WorkerPool::ForkOne() {
  const std::uint32_t id = next_worker_++;
  auto created = Worker::Create(
      loop_, id, options_.answer_bytes,
      {.ready = [this](Worker& worker) { OnReady(worker); },
       .job_done = [this](Worker& worker, const ipc::JobDone& done) { OnJobDone(worker, done); },
       .heap_done = [this](Worker& worker,
                           const ipc::HeapDone& done) { callbacks_.heap_done(worker, done); },
       .garbage = [this](Worker& worker) { OnGarbage(worker); },
       .ended = [this](Worker& worker, const ExitStatus& status) { OnEnded(worker, status); }});
  const ipc::ForkWorker order{.worker_id = id, .answer_bytes = options_.answer_bytes, .fault = {}};
  const auto asked =
      !created ? Result<void>(tl::unexpected(created.error()))
               : zygote_->Fork(order, (*created)->their_channel_fd(), (*created)->area_fd());
  if (!asked) {
    log_.Add(fmt::format("cannot start worker {}: {}", id, asked.error().message));
    restart_.Failed(loop_.Now());
    return;
  }
  Worker& worker = **created;
  worker.CloseTheirEnd();
  worker.generation = generation_;
  worker.models = zygote_->models();
  worker.deadline = loop_.After(options_.start_timeout, [this, id] { OnSlowStart(id); });
  if (!deaths_.empty()) {
    worker.replaces_death_at = deaths_.front();
    deaths_.pop_front();
  }
  workers_.push_back(*std::move(created));
}

void WorkerPool::OnForked(const ipc::WorkerForked& forked) {
  Worker* worker = Find(forked.worker_id);
  // Given up meanwhile: its channel is closed, so it ends.
  if (worker == nullptr) return;
  // It has told itself already, and may be at work.
  if (forked.pid == 0 && worker->state != WorkerState::kForking) return;
  const auto adopted = forked.pid != 0
                           ? worker->Adopt(static_cast<pid_t>(forked.pid))
                           : Fail(ErrorCode::kOverloaded, std::strerror(forked.error_number));
  if (adopted) {
    if (worker->state == WorkerState::kForking) worker->state = WorkerState::kStarting;
    return;
  }
  log_.Add(fmt::format("cannot fork worker {}: {}", worker->id(), adopted.error().message));
  restart_.Failed(loop_.Now());
  Remove(*worker);
  Balance();
}

// --- the life of a worker --------------------------------------------------------------------

void WorkerPool::OnReady(Worker& worker) {
  if (worker.state != WorkerState::kForking && worker.state != WorkerState::kStarting) {
    OnGarbage(worker);
    return;
  }
  worker.state = WorkerState::kIdle;
  worker.ready_at = loop_.Now();
  worker.deadline.reset();
  restart_.Succeeded();
  if (worker.replaces_death_at) stats_.recovery.Record(worker.ready_at - *worker.replaces_death_at);
  callbacks_.ready(worker);
  StopSurplus();  // before one that was retired is given more to do
  Dispatch();
  Balance();
}

void WorkerPool::OnSlowStart(std::uint32_t id) {
  Worker* worker = Find(id);
  if (worker == nullptr) return;
  if (worker->pid() != 0) {
    worker->Kill(KillReason::kSlowStart);
    return;
  }
  log_.Add(fmt::format("worker {} was never forked", id));
  restart_.Failed(loop_.Now());
  Remove(*worker);
  callbacks_.zygote_suspect("the zygote does not fork");
  Balance();
}

void WorkerPool::OnHung(std::uint32_t id) {
  if (Worker* worker = Find(id); worker != nullptr) worker->Kill(KillReason::kHung);
}

void WorkerPool::OnGarbage(Worker& worker) { worker.Kill(KillReason::kGarbage); }

void WorkerPool::OnEnded(Worker& worker, const ExitStatus& status) {
  const SteadyTime now = loop_.Now();
  const bool expected = worker.state == WorkerState::kLeaving;
  const bool never_ready = worker.ready_at == SteadyTime{};
  const std::string cause = CountExit(worker, status);
  if (!expected) {
    log_.Add(fmt::format("worker {} (pid {}) {} after {} requests", worker.id(), worker.pid(),
                         cause, worker.requests));
    if (deaths_.size() < options_.workers + 1) deaths_.push_back(now);
  }
  if (never_ready && !expected) {
    restart_.Failed(now);
    if (restart_.failures() % kSuspectZygoteAfter == 0)
      callbacks_.zygote_suspect("workers keep dying at their start");
  }
  auto request = worker.TakeRequest();
  const auto killed = worker.killed;
  const bool was_read = !worker.LeftRequestUnread();
  Remove(worker);
  if (request) RetryOrRefuse(std::move(request), killed, was_read);
  Dispatch();
  Balance();
}

void WorkerPool::Remove(Worker& worker) {
  sessions_.EndWorker(worker.id());
  callbacks_.worker_gone(worker);
  std::erase_if(workers_, [&](const auto& one) { return one.get() == &worker; });
}

void WorkerPool::Retire(Worker& worker, RetireReason reason) {
  if (!WillStay(worker)) return;
  worker.retire = reason;
  Balance();
}

void WorkerPool::RetireAll(RetireReason reason) {
  for (const auto& worker : workers_) {
    if (WillStay(*worker)) worker->retire = reason;
  }
  Balance();
}

void WorkerPool::Evict(Worker& worker, RetireReason reason) {
  if (!worker.retire) worker.retire = reason;
  worker.evict = true;
  Balance();
}

void WorkerPool::EvictAll(RetireReason reason) {
  for (const auto& worker : workers_) {
    if (!worker->retire) worker->retire = reason;
    worker->evict = true;
  }
  Balance();
}

// Lets retired workers go, as far as enough others are there, and evicted ones at once.
void WorkerPool::StopSurplus() {
  if (stopping_) return;
  std::size_t serving = ready_workers();
  for (const auto& worker : workers_) {
    if (!worker->retire || worker->state != WorkerState::kIdle) continue;
    if (serving <= options_.workers && !worker->evict) continue;
    LetLeave(*worker);
    --serving;
  }
}

void WorkerPool::LetLeave(Worker& worker) {
  worker.SignalStop();
  sessions_.EndWorker(worker.id());
  const std::uint32_t id = worker.id();
  worker.deadline = loop_.After(options_.leave_timeout, [this, id] {
    if (Worker* late = Find(id); late != nullptr) late->Kill(KillReason::kShutdown);
  });
}

void WorkerPool::BroadcastTrim() {
  for (const auto& worker : workers_) {
    // A worker that does not read is found by its deadline.
    if (IsServing(*worker)) static_cast<void>(worker->Send(ipc::Trim{}));
  }
}

// Says how it ended, for a person, and counts it.
std::string WorkerPool::CountExit(Worker& worker, const ExitStatus& status) {
  WorkerExits& exits = stats_.totals.worker_exits;
  if (worker.killed == KillReason::kHung) {
    ++exits.hung;
    return fmt::format("hung: killed after {:.0f} ms",
                       Milliseconds(loop_.Now() - worker.assigned_at));
  }
  if (worker.killed == KillReason::kGarbage) {
    ++exits.garbage;
    return "killed: its answer was none";
  }
  if (worker.killed == KillReason::kSlowStart) {
    ++exits.crashed;
    return "killed: not ready in time";
  }
  if (worker.killed == KillReason::kDeaf) {
    ++exits.crashed;
    return fmt::format("took no more messages: {}", status.Describe());
  }
  if (worker.state == WorkerState::kLeaving) {
    switch (worker.retire.value_or(RetireReason::kCommand)) {
      case RetireReason::kMemory:
      case RetireReason::kDescriptors:
      case RetireReason::kPressure:
        ++exits.over_budget;
        break;
      case RetireReason::kLeak:
        ++exits.leak;
        break;
      default:
        ++exits.recycled;
    }
    return "left";
  }
  const std::uint64_t oom_kills = callbacks_.oom_kills();
  const bool was_killed = status.signaled && status.value == SIGKILL;
  const bool by_kernel = was_killed && oom_kills > known_oom_kills_;
  if (was_killed) worker.killed = by_kernel ? KillReason::kNoMemory : KillReason::kForeign;
  known_oom_kills_ = oom_kills;
  ++(by_kernel ? exits.over_budget : exits.crashed);
  return by_kernel ? "killed by the kernel: out of memory" : "crashed: " + status.Describe();
}

// --- the end ---------------------------------------------------------------------------------

void WorkerPool::Stop(SteadyTime deadline) {
  stopping_ = true;
  stop_deadline_ = deadline;
  Sweep();
}

void WorkerPool::Sweep() {
  const SteadyTime now = loop_.Now();
  const auto is_late = [&](const Request& one) {
    return now - one.queued > options_.queue_max_age;
  };
  FailQueued(is_late, {ErrorCode::kOverloaded, "waited too long for a worker"});
  poison_.ExpireNow();
  if (!stopping_) return;
  if (now >= stop_deadline_) {
    FailQueue({ErrorCode::kUnavailable, "the service is stopping"});
    for (const auto& worker : workers_) worker->Kill(KillReason::kShutdown);
  }
  if (!queue_.empty()) return;
  for (const auto& worker : workers_) {
    if (worker->state == WorkerState::kIdle) LetLeave(*worker);
  }
  // Those that are only being made have nothing to finish.
  std::erase_if(workers_, [](const auto& worker) {
    return worker->state == WorkerState::kForking || worker->state == WorkerState::kStarting;
  });
}

}  // namespace holostat::runtime
