#include "runtime/supervisor.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <utility>

#include "runtime/zygote_main.h"

namespace holostat::runtime {
namespace {

// What the kernel shows for it; also of a zombie.
std::string CommandName(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/comm", pid));
  std::string name;
  std::getline(in, name);
  return name;
}

}  // namespace

using std::chrono::milliseconds;

Supervisor::Supervisor(const Clock& clock, const Options& options)
    : clock_(clock),
      options_(options),
      log_(clock, options.event_capacity, options.on_event),
      slots_(options.slots),
      governor_(options.governor),
      zygote_restart_(options.zygote_restart) {}

Result<std::unique_ptr<Supervisor>> Supervisor::Start(const Clock& clock, const Options& options) {
  std::unique_ptr<Supervisor> supervisor(new Supervisor(clock, options));
  HOLO_TRY(supervisor->Begin());
  return supervisor;
}

Result<void> Supervisor::Begin() {
  // Workers are forked by a process that ends at once: they become our children by this.
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
    return Fail(ErrorCode::kUnsupported, "this kernel has no child subreapers");
  // Whoever started us may have left it ignored: then nobody could tell how a child has ended.
  struct sigaction child {};
  if (::sigaction(SIGCHLD, nullptr, &child) == 0 && child.sa_handler == SIG_IGN)
    ::signal(SIGCHLD, SIG_DFL);
  loop_ = HOLO_TRY(EventLoop::Create(clock_));
  before_ = ResourceAccount::Take();
  group_ = OpenControlGroupMeter();
  gpus_ = OpenGpuMeters();
  monitor_ = std::make_unique<WorkerMonitor>(clock_, options_.monitor, MonitorCallbacks());
  heap_ = std::make_unique<HeapBroker>(*loop_);
  reporter_ = std::make_unique<AlarmReporter>(*loop_, options_.zygote.program);
  pool_ = std::make_unique<WorkerPool>(*loop_, log_, options_.pool, PoolCallbacks());
  control_ = HOLO_TRY(ControlServer::Create(
      *loop_, [this](std::string_view request, std::unique_ptr<ControlServer::Reply> reply) {
        OnControl(request, std::move(reply));
      }));
  uses_.reserve(options_.pool.workers + 2);
  // What was to be loaded is to be used: it is not idle before its time.
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
    if ((options_.models & bit) != 0) model_used_[bit] = clock_.Now();
  }
  tick_ = loop_->Every(options_.tick, [this] { Tick(); });
  return StartNext(options_.models);
}

// The members' order of destruction: the pool kills its workers before the zygotes go.
Supervisor::~Supervisor() = default;

WorkerPool::Callbacks Supervisor::PoolCallbacks() {
  return {.ready =
              [this](Worker& worker) {
                if (options_.heap_sample_log2 == 0) return;
                // Without a profiler it answers with an error that nobody waits for.
                static_cast<void>(worker.Send(ipc::HeapCommand{0, ipc::HeapCommand::Action::kStart,
                                                               options_.heap_sample_log2}));
              },
          .job_done = [this](Worker& worker) { monitor_->OnJobDone(worker); },
          .worker_gone =
              [this](const Worker& worker) {
                monitor_->Forget(worker.id());
                heap_->OnGone(worker.pid());
              },
          .heap_done = [this](Worker& worker,
                              const ipc::HeapDone& done) { heap_->OnHeapDone(worker.pid(), done); },
          .models_needed =
              [this](std::uint32_t models) {
                if (next_ == nullptr && zygote_ != nullptr && !start_later_ && !stopped_) {
                  log_.Add("a request needs a model that is not loaded: loading it");
                  // Failing to start is logged and tried again.
                  static_cast<void>(StartNext(zygote_->models() | models));
                }
              },
          .zygote_suspect =
              [this](std::string_view why) {
                if (next_ == nullptr) Reload(why);
              },
          .oom_kills = [this]() -> std::uint64_t {
            if (group_ == nullptr) return 0;
            const auto reading = group_->Read();
            return reading ? reading->oom_kills : 0;
          }};
}

WorkerMonitor::Callbacks Supervisor::MonitorCallbacks() {
  return {.retire =
              [this](Worker& worker, RetireReason reason) {
                log_.Add(fmt::format("worker {} (pid {}) is to leave: {}", worker.id(),
                                     worker.pid(), RetireReasonName(reason)));
                pool_->Retire(worker, reason);
              },
          .trim = [](Worker& worker) { static_cast<void>(worker.Send(ipc::Trim{})); },
          .alarm = [this](const WorkerMonitor::Alarm& alarm) { OnAlarm(alarm); }};
}

Result<void> Supervisor::WaitUntilReady(milliseconds timeout) {
  const SteadyTime deadline = clock_.Now() + timeout;
  while (pool_->ready_workers() < options_.pool.workers) {
    if (zygote_ == nullptr && zygote_restart_.failures() > 0)
      return Fail(ErrorCode::kUnavailable, "the zygote ended before it was ready");
    if (clock_.Now() >= deadline)
      return Fail(ErrorCode::kTimeout, "the workers were not ready in time");
    loop_->Step(milliseconds(100));
  }
  return {};
}

Result<std::uint64_t> Supervisor::Submit(const ipc::Job& job, ipc::SlotBudget::Lease slot,
                                         Completion complete) {
  model_used_[ipc::ModelBit(job.complexity, job.segmentation)] = clock_.Now();
  return pool_->Submit(job, std::move(slot), std::move(complete));
}

// --- zygotes ---------------------------------------------------------------------------------

Result<void> Supervisor::StartNext(std::uint32_t models) {
  start_later_.reset();
  if (stopped_) return {};
  reload_again_ = false;
  evicting_for_.reset();
  ZygoteProcess::Callbacks callbacks{
      .ready = [this](ZygoteProcess&, const ipc::ZygoteReady& ready) { OnZygoteReady(ready); },
      .forked = [this](const ipc::WorkerForked& forked) { pool_->OnForked(forked); },
      .heap_done = [this](ZygoteProcess& zygote,
                          const ipc::HeapDone& done) { heap_->OnHeapDone(zygote.pid(), done); },
      .ended = [this](ZygoteProcess& zygote,
                      const ExitStatus& status) { OnZygoteEnded(zygote, status); }};
  auto started = ZygoteProcess::Start(*loop_, options_.zygote, models, std::move(callbacks));
  if (!started) {
    log_.Add(started.error().message);
    zygote_restart_.Failed(clock_.Now());
    StartNextLater();
    return tl::unexpected(std::move(started).error());
  }
  next_ = *std::move(started);
  next_deadline_ = loop_->After(options_.zygote_timeout, [this] {
    if (next_ == nullptr) return;
    log_.Add(fmt::format("zygote {} is not ready in time: killed", next_->pid()));
    next_->Kill();  // its end starts another one
  });
  return {};
}

void Supervisor::OnZygoteReady(const ipc::ZygoteReady& ready) {
  zygote_restart_.Succeeded();
  next_deadline_.reset();
  zygote_load_ms_ = ready.load_ms;
  ++generation_;
  log_.Add(fmt::format("zygote {} (pid {}) is ready: models loaded in {} ms", generation_,
                       ready.pid, ready.load_ms));
  const auto old = std::exchange(zygote_, std::move(next_));
  pool_->SetZygote(zygote_.get(), generation_);
  if (old != nullptr) heap_->OnGone(old->pid());
  if (reload_again_) Reload("asked for while another one was loading");
}

void Supervisor::OnZygoteEnded(ZygoteProcess& zygote, const ExitStatus& status) {
  ++pool_->stats().totals.zygote_restarts;
  log_.Add(fmt::format("the zygote ended: {}", status.Describe()));
  zygote_restart_.Failed(clock_.Now());
  heap_->OnGone(zygote.pid());
  if (&zygote == next_.get()) {
    const std::uint32_t wished = zygote_ != nullptr ? next_->models() & ~zygote_->models() : 0;
    next_.reset();
    if (wished != 0) return OnModelsMissing(wished);
  } else {
    pool_->SetZygote(nullptr, 0);
    zygote_.reset();
  }
  if (next_ == nullptr) StartNextLater();
}

// The zygote with these models, besides those that we have, has failed. What we have goes on.
void Supervisor::OnModelsMissing(std::uint32_t models) {
  zygote_restart_.Succeeded();  // of the one that we have
  log_.Add("a model cannot be loaded: requests for it are refused for a while");
  forgive_models_ = loop_->After(options_.model_retry_after, [this] { pool_->SetUnloadable(0); });
  pool_->SetUnloadable(models);
}

void Supervisor::StartNextLater() {
  if (stopped_) return;
  const SteadyTime at = std::max(zygote_restart_.MayStartAt(), clock_.Now());
  start_later_ = loop_->At(at, [this] {
    // Failing is logged, and it comes here again.
    static_cast<void>(StartNext(zygote_ != nullptr ? zygote_->models() : options_.models));
  });
}

void Supervisor::Reload(std::string_view why) {
  if (stopped_) return;
  if (next_ != nullptr) {
    reload_again_ = true;
    return;
  }
  log_.Add(fmt::format("reload: {}", why));
  static_cast<void>(StartNext(zygote_ != nullptr ? zygote_->models() : options_.models));
}

// The last step of the ladder: everything goes before anything comes. As long as one worker is
// left, so are the old weights, and there is no room for them twice.
void Supervisor::RestartForMemory() {
  const std::uint32_t models = zygote_ != nullptr ? zygote_->models() : options_.models;
  pool_->SetZygote(nullptr, 0);
  pool_->EvictAll(RetireReason::kPressure);
  zygote_.reset();
  if (next_ == nullptr) evicting_for_ = models;
  StartWhenAllAreGone();
}

void Supervisor::StartWhenAllAreGone() {
  if (!evicting_for_ || stopped_ || !pool_->workers().empty()) return;
  log_.Add("all workers have left: loading anew");
  static_cast<void>(StartNext(*evicting_for_));  // failing is logged and tried again
}

void Supervisor::UnloadIdle() {
  if (zygote_ == nullptr || next_ != nullptr) return;
  std::uint32_t used = ipc::ModelBit(ipc::Complexity::kLite);  // the one to fall back to
  for (const auto& [model, at] : model_used_) {
    if (clock_.Now() - at < options_.model_idle_after) used |= model;
  }
  const std::uint32_t kept = zygote_->models() & used;
  if (kept == zygote_->models() || kept == 0) return;
  log_.Add("unloading models that nobody uses");
  static_cast<void>(StartNext(kept));
}

void Supervisor::FinishReports(milliseconds timeout) {
  const SteadyTime deadline = clock_.Now() + timeout;
  while (reporter_ && (reports_asked_ > 0 || !reporter_->IsIdle()) && clock_.Now() < deadline)
    loop_->Step(milliseconds(50));
}

// --- the end ---------------------------------------------------------------------------------

std::string Supervisor::Stop(milliseconds grace) {
  stopped_ = true;
  start_later_.reset();
  const SteadyTime deadline = clock_.Now() + grace;
  pool_->Stop(deadline);
  while (!pool_->stopped() && clock_.Now() < deadline + options_.pool.leave_timeout * 2) {
    loop_->Step(milliseconds(20));
  }
  tick_.reset();
  control_.reset();
  reporter_.reset();
  pool_->SetZygote(nullptr, 0);
  next_.reset();
  zygote_.reset();
  ReapStrangers();
  group_.reset();
  gpus_.clear();
  const std::string account = ResourceAccount::Take().LeakedSince(before_);
  log_.Add(fmt::format("stopped: {}", account));
  return account;
}

// Workers that nobody knows: forked by a zygote that died before it could tell. Their channel is
// closed, so they have nothing to do. Other children of this process are not ours to touch.
void Supervisor::ReapStrangers() {
  const auto& workers = pool_->workers();
  if (std::ranges::any_of(workers, [](const auto& worker) { return worker->pid() == 0; }))
    return;  // one of them may be just being told of
  // Again until there are none: the first may be the process in between, whose child is ours then.
  while (EndOneStranger()) {
  }
}

bool Supervisor::EndOneStranger() {
  for (const pid_t pid : ChildrenOfThisProcess()) {
    const auto is_known = [&](const auto& worker) { return worker->pid() == pid; };
    if ((zygote_ && zygote_->pid() == pid) || (next_ && next_->pid() == pid) ||
        std::ranges::any_of(pool_->workers(), is_known) ||
        !CommandName(pid).starts_with(kProcessNamePrefix)) {
      continue;
    }
    log_.Add(fmt::format("ending stray worker {}", pid));
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return true;
  }
  return false;
}

}  // namespace holostat::runtime
