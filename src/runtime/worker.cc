#include "runtime/worker.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ipc/hash.h"

namespace holostat::runtime {
namespace {

// What a usual answer takes: more is given back after a large one.
constexpr std::size_t kKeptAnswerBytes = 256u << 10;

}  // namespace

std::string_view WorkerStateName(WorkerState state) {
  switch (state) {
    case WorkerState::kForking:
    case WorkerState::kStarting:
      return "starting";
    case WorkerState::kIdle:
      return "idle";
    case WorkerState::kBusy:
      return "busy";
    case WorkerState::kLeaving:
      return "leaving";
  }
  return "unknown";
}

Result<std::unique_ptr<Worker>> Worker::Create(EventLoop& loop, std::uint32_t id,
                                               std::size_t answer_bytes, Callbacks callbacks) {
  auto area = HOLO_TRY(ipc::AnswerArea::Create(answer_bytes));
  auto [ours, theirs] = HOLO_TRY(ipc::Channel::CreatePair());
  std::unique_ptr<Worker> worker(new Worker(loop, id, std::move(area), std::move(callbacks)));
  Worker& self = *worker;
  self.channel_ = std::move(ours);
  self.their_channel_ = std::move(theirs);
  self.created = loop.Now();
  self.channel_watch_ = HOLO_TRY(
      loop.Watch(self.channel_.fd(), EPOLLIN, [&self](std::uint32_t) { self.OnReadable(); }));
  return worker;
}

Result<void> Worker::Adopt(pid_t pid) {
  if (process_) return {};  // told twice: by the zygote and by the worker itself
  if (pid_ != 0) return Fail(ErrorCode::kNotFound, "it has ended");
  auto process = HOLO_TRY(ChildProcess::Adopt(pid));
  process_watch_ =
      HOLO_TRY(loop_.Watch(process.pidfd(), EPOLLIN, [this](std::uint32_t) { OnEnd(); }));
  process_ = std::move(process);  // only now: nobody would see one end that is not watched
  pid_ = pid;
  return {};
}

Result<void> Worker::Assign(std::unique_ptr<Request> request) {
  request_ = std::move(request);
  assigned_at = loop_.Now();
  state = WorkerState::kBusy;
  sent_since_request_ = false;
  return channel_.Send(request_->job, std::array{request_->slot.slot().fd()});
}

void Worker::CancelRequest() {
  request_->cancelled = true;
  const auto slot = std::move(request_->slot);
  const auto complete = std::exchange(request_->complete, nullptr);
}

Result<void> Worker::Send(const ipc::Message& message, std::span<const int> fds) {
  HOLO_TRY(channel_.Send(message, fds));
  sent_since_request_ = true;
  if (std::holds_alternative<ipc::HeapCommand>(message)) ++heap_answers_due_;
  return {};
}

Result<std::string> Worker::ReadAnswer(const ipc::JobDone& done) const {
  const auto area = area_.bytes();
  const std::size_t limit =
      done.error == 0 ? area.size() : std::min(area.size(), ipc::kMaxTextBytes);
  if (done.answer_bytes > limit) {
    return Fail(ErrorCode::kInternal,
                fmt::format("an answer of {} bytes, where {} may be", done.answer_bytes, limit));
  }
  // The copy is what is checked and used: whatever the worker writes afterwards does not matter.
  std::string copy(reinterpret_cast<const char*>(area.data()), done.answer_bytes);
  if (ipc::Hash64(std::as_bytes(std::span(copy))) != done.answer_hash)
    return Fail(ErrorCode::kInternal, "the answer does not have the hash it was sent with");
  return copy;
}

void Worker::TrimAnswerArea() {
  // It stays as it is then, which costs memory until the worker leaves, and nothing else.
  static_cast<void>(area_.Trim(kKeptAnswerBytes));
}

void Worker::SignalStop() {
  state = WorkerState::kLeaving;
  if (!channel_.Send(ipc::Stop{})) process_.Signal(SIGKILL);  // it does not read: no time to wait
}

void Worker::Kill(KillReason reason) {
  if (!killed) killed = reason;
  process_.Signal(SIGKILL);
}

void Worker::OnReadable() {
  auto received = channel_.Receive();
  if (!received) {
    channel_watch_.reset();  // else it would be readable for ever
    // Gone: its end is told by the process. Otherwise it talks nonsense.
    if (received.error().code != ErrorCode::kUnavailable) callbacks_.garbage(*this);
  } else if (*received) {
    Serve((*received)->message);
  }
}

void Worker::Serve(const ipc::Message& message) {
  if (const auto* ready = std::get_if<ipc::WorkerReady>(&message)) {
    if (!Adopt(static_cast<pid_t>(ready->pid))) return;  // dead already
    callbacks_.ready(*this);
  } else if (const auto* done = std::get_if<ipc::JobDone>(&message)) {
    callbacks_.job_done(*this, *done);
  } else if (const auto* heap_done = std::get_if<ipc::HeapDone>(&message);
             heap_done != nullptr && heap_answers_due_ > 0) {
    --heap_answers_due_;
    callbacks_.heap_done(*this, *heap_done);
  } else {
    callbacks_.garbage(*this);
  }
}

void Worker::OnEnd() {
  // An answer that it sent before it died counts.
  for (auto last = channel_.Receive(); last && *last; last = channel_.Receive()) {
    Serve((*last)->message);
  }
  const auto status = process_.TryReap();
  if (!status) return;
  channel_watch_.reset();
  process_watch_.reset();
  const auto ended = callbacks_.ended;  // may destroy this
  ended(*this, *status);
}

}  // namespace holostat::runtime
