// The part of WorkerPool that moves requests: queue, dispatch, answers, retries.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/sha256.h"
#include "runtime/worker_pool.h"

namespace holostat::runtime {
namespace {

std::uint32_t ModelOf(const ipc::Job& job) {
  return ipc::ModelBit(job.complexity, job.segmentation);
}

std::uint32_t LightModelOf(const ipc::Job& job) {
  return ipc::ModelBit(ipc::Complexity::kLite, job.segmentation);
}

// What makes two requests the same: bytes and options. Empty when the bytes cannot be read now.
std::string PoisonKey(const ipc::Job& job, ipc::Complexity requested, const ipc::Slot& slot) {
  const auto bytes = ipc::MapSealedSlot(slot.fd(), slot.size());
  if (!bytes) return {};
  const auto data = std::as_const(*bytes).bytes();
  return fmt::format(
      "{} {} {} {} {} {} {} {} {}",
      Sha256Hex(std::span(reinterpret_cast<const std::uint8_t*>(data.data()), data.size())),
      static_cast<int>(requested), static_cast<int>(job.format), job.refine_face, job.segmentation,
      job.people, static_cast<int>(job.input), job.width, job.height);
}

bool IsErrorCode(std::uint8_t value) {
  return value >= static_cast<std::uint8_t>(ErrorCode::kInvalidArgument) &&
         value <= static_cast<std::uint8_t>(ErrorCode::kInternal);
}

bool IsClientError(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnsupported:
    case ErrorCode::kCorruptData:
    case ErrorCode::kLimitExceeded:
      return true;
    default:
      return false;
  }
}

StageTimes TimesOf(const ipc::JobDone& done, std::chrono::nanoseconds queued) {
  using std::chrono::microseconds;
  return {std::chrono::duration_cast<microseconds>(queued), microseconds(done.decode_us),
          microseconds(done.inference_us), microseconds(done.encode_us)};
}

}  // namespace

Result<std::uint64_t> WorkerPool::Submit(const ipc::Job& job, ipc::SlotBudget::Lease slot,
                                         Completion complete) {
  const auto refuse = [&](ErrorCode code, const char* why) {
    ++stats_.totals.refused;
    return Fail(code, why);
  };
  ++stats_.totals.requests;
  if (stopping_) return refuse(ErrorCode::kUnavailable, "the service is stopping");
  if (refusing_) return refuse(ErrorCode::kOverloaded, "short of memory: try again later");
  if (queue_.size() >= options_.queue_capacity)
    return refuse(ErrorCode::kOverloaded, "too many requests are waiting: try again later");
  if (IsHopeless(job))
    return refuse(ErrorCode::kUnavailable, "the model for this request cannot be loaded");
  if (poison_.size() > 0 && poison_.Get(PoisonKey(job, job.complexity, slot.slot())) != nullptr)
    return refuse(ErrorCode::kUnsupported, "this request has ended two workers: it is refused");
  const std::uint64_t id = next_request_++;
  auto request = std::make_unique<Request>(Request{id, job, job.complexity, std::move(slot),
                                                   std::move(complete), loop_.Now(), loop_.Now()});
  request->job.request_id = id;
  request->job.request_bytes = request->slot.slot().size();
  queue_.push_back(std::move(request));
  Dispatch();
  return id;
}

void WorkerPool::Dispatch() {
  for (std::size_t i = 0; i < queue_.size();) {
    Worker* worker = IdleWorkerFor(*queue_[i]);
    if (worker == nullptr) {
      ++i;  // one behind it may want a model that an idle worker has
      continue;
    }
    auto request = std::move(queue_[i]);
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!Assign(*worker, std::move(request))) i = 0;  // it is the first one again
  }
}

bool WorkerPool::MayWorkNow(const Worker& worker) const {
  // An evicted one is to leave now, and will be replaced.
  return worker.state == WorkerState::kIdle && !worker.killed && (!worker.evict || stopping_);
}

Worker* WorkerPool::WorkerOfSession(const ipc::Job& job) {
  if (job.session == 0) return nullptr;
  const auto id = sessions_.WorkerOf(job.session);
  Worker* worker = id ? Find(*id) : nullptr;
  return worker != nullptr && CanServe(*worker, job) ? worker : nullptr;
}

// The one that has been idle longest; before that those with few sessions, which will want them
// soon; before that those that will stay.
Worker* WorkerPool::IdleWorkerFor(const Request& request) {
  if (Worker* bound = WorkerOfSession(request.job); bound != nullptr)
    return MayWorkNow(*bound) ? bound : nullptr;
  Worker* best = nullptr;
  bool known = false;
  for (const auto& worker : workers_) {
    const bool able = CanServe(*worker, request.job);
    known = known || able;
    if (!able || !MayWorkNow(*worker)) continue;
    const auto rank = [this](const Worker& one) {
      return std::tuple(one.retire.has_value(), sessions_.CountOf(one.id()), one.assigned_at);
    };
    if (best == nullptr || rank(*worker) < rank(*best)) best = worker.get();
  }
  const std::uint32_t wanted = ModelOf(request.job);
  if (!known && zygote_ != nullptr && (zygote_->models() & wanted) == 0 &&
      (unloadable_ & wanted) == 0)
    callbacks_.models_needed(wanted);
  return best;
}

bool WorkerPool::CanServe(const Worker& worker, const ipc::Job& job) const {
  return (worker.models & (ModelOf(job) | (lighter_ ? LightModelOf(job) : 0))) != 0;
}

bool WorkerPool::IsHopeless(const ipc::Job& job) const {
  return (unloadable_ & ModelOf(job)) != 0 && !lighter_ &&
         std::ranges::none_of(workers_, [&](const auto& worker) { return CanServe(*worker, job); });
}

void WorkerPool::SetUnloadable(std::uint32_t models) {
  unloadable_ = models;
  const auto is_hopeless = [&](const Request& one) { return IsHopeless(one.job); };
  FailQueued(is_hopeless, {ErrorCode::kUnavailable, "the model for this request cannot be loaded"});
}

void WorkerPool::Cancel(std::uint64_t request_id) {
  const auto queued =
      std::ranges::find(queue_, request_id, [](const auto& one) { return one->id; });
  if (queued != queue_.end()) {
    const auto request = std::move(*queued);  // what its completion captured may call us again
    queue_.erase(queued);
    ++stats_.totals.cancelled;
    return;
  }
  for (const auto& worker : workers_) {
    const Request* request = worker->request();
    if (request == nullptr || request->id != request_id || request->cancelled) continue;
    ++stats_.totals.cancelled;
    return worker->CancelRequest();
  }
}

bool WorkerPool::Assign(Worker& worker, std::unique_ptr<Request> request) {
  ipc::Job& job = request->job;
  ++job.attempt;
  // A fault is of the worker, not of the request; but for one that a test makes of the request.
  if (job.attempt > 1 && !job.fault.starts_with('!')) job.fault.clear();
  if (lighter_ && (worker.models & LightModelOf(job)) != 0) job.complexity = ipc::Complexity::kLite;
  const std::uint32_t id = worker.id();
  if (job.session != 0) sessions_.Bind(job.session, id);
  worker.deadline = loop_.After(options_.job_timeout, [this, id] { OnHung(id); });
  if (worker.Assign(std::move(request))) return true;
  // It does not read, or has just died: the request had no part in that.
  auto back = worker.TakeRequest();
  --back->job.attempt;
  queue_.push_front(std::move(back));
  worker.Kill(KillReason::kDeaf);
  return false;
}

void WorkerPool::OnJobDone(Worker& worker, const ipc::JobDone& done) {
  const Request* request = worker.request();
  if (request == nullptr || done.request_id != request->id ||
      done.attempt != request->job.attempt || (done.error != 0 && !IsErrorCode(done.error))) {
    OnGarbage(worker);
    return;
  }
  auto bytes = worker.ReadAnswer(done);
  if (!bytes) {
    OnGarbage(worker);
    return;
  }
  worker.deadline.reset();
  worker.state = WorkerState::kIdle;
  worker.heap_bytes = done.heap_bytes;
  if (++worker.requests == 1) NoteFirstAnswer(worker, done);
  if (bytes->size() > (256u << 10)) worker.TrimAnswerArea();
  auto finished = worker.TakeRequest();
  if (done.error != 0) {
    Finish(std::move(finished), Fail(static_cast<ErrorCode>(done.error), *std::move(bytes)));
  } else {
    Answer answer{*std::move(bytes), finished->job.attempt,
                  TimesOf(done, worker.assigned_at - finished->admitted), finished->job.complexity,
                  worker.id()};
    Finish(std::move(finished), std::move(answer));
  }
  callbacks_.job_done(worker);
  StopSurplus();  // before one that was retired is given more to do
  Dispatch();
  Balance();
}

void WorkerPool::NoteFirstAnswer(Worker& worker, const ipc::JobDone& done) {
  if (!worker.replaces_death_at) return;
  stats_.first_answer.Record((worker.ready_at - *worker.replaces_death_at) +
                             (loop_.Now() - worker.assigned_at) - TimesOf(done, {}).in_worker());
}

void WorkerPool::Finish(std::unique_ptr<Request> request, Result<Answer> answer) {
  if (request->cancelled) return;
  Totals& totals = stats_.totals;
  if (answer) {
    ++totals.ok;
    stats_.latency.Record(loop_.Now() - request->admitted);
  } else {
    ++(IsClientError(answer.error().code) ? totals.client_errors : totals.failed);
  }
  const Completion complete = std::move(request->complete);
  request.reset();  // the slot is free for a request that `complete` may make
  complete(std::move(answer));
}

// The worker that had it is gone.
void WorkerPool::RetryOrRefuse(std::unique_ptr<Request> request, std::optional<KillReason> killed,
                               bool was_read) {
  if (request->cancelled) return;
  if (killed == KillReason::kShutdown) {
    Finish(std::move(request), Fail(ErrorCode::kUnavailable, "the service is stopping"));
    return;
  }
  // For want of memory the kernel ends whoever is largest, whatever it works on: that makes no
  // request poison. But one that is itself too large must not go on for long.
  const bool no_memory = killed == KillReason::kNoMemory;
  const bool innocent = no_memory || killed == KillReason::kForeign || !was_read;
  if (!innocent) ++request->deaths;
  if (!was_read) ++request->unread;
  const auto may_go_on = [&] {
    if (!innocent) return request->deaths < 2;
    // What nobody has read was not tried: its deadline in the queue ends it.
    if (no_memory) return request->job.attempt - request->unread < kMaxAttemptsWithoutMemory;
    return !was_read || loop_.Now() - request->admitted < options_.retry_for;
  };
  if (may_go_on()) {
    ++stats_.totals.retried;
    if (was_read) request->queued = loop_.Now();
    queue_.push_front(std::move(request));
    return;
  }
  if (no_memory) {
    Finish(std::move(request),
           Fail(ErrorCode::kOverloaded, "its workers are killed for want of memory"));
    return;
  }
  if (innocent) {
    Finish(std::move(request),
           Fail(ErrorCode::kUnavailable, "its workers are killed again and again"));
    return;
  }
  if (auto key = PoisonKey(request->job, request->requested, request->slot.slot()); !key.empty())
    poison_.Put(std::move(key), request->deaths, 0);
  log_.Add(fmt::format("request {} has ended two workers: refused", request->id));
  Finish(std::move(request),
         killed == KillReason::kHung
             ? Fail(ErrorCode::kTimeout, "this request took two workers past their deadline")
             : Fail(ErrorCode::kUnsupported, "this request has ended two workers: it is refused"));
}

// One by one: a completion may submit, and cancel what is still in the queue.
void WorkerPool::FailQueued(const std::function<bool(const Request&)>& is_wanted,
                            const Error& error) {
  for (;;) {
    const auto found =
        std::ranges::find_if(queue_, [&](const auto& one) { return is_wanted(*one); });
    if (found == queue_.end()) return;
    auto request = std::move(*found);
    queue_.erase(found);
    Finish(std::move(request), tl::unexpected(error));
  }
}

void WorkerPool::FailQueue(const Error& error) {
  FailQueued([](const Request&) { return true; }, error);
}

}  // namespace holostat::runtime
