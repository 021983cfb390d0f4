#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "ipc/channel.h"
#include "ipc/slot.h"
#include "runtime/child_process.h"
#include "runtime/event_loop.h"
#include "runtime/recycle_policy.h"
#include "runtime/request.h"

namespace holostat::runtime {

enum class WorkerState : std::uint8_t {
  kForking = 1,  // the zygote was asked
  kStarting,     // it has a process
  kIdle,
  kBusy,
  kLeaving,  // told to stop
};
std::string_view WorkerStateName(WorkerState state);

// Why a worker was killed, if it was: by us (kDeaf: it takes no messages), by the kernel
// (kNoMemory), or (kForeign) by somebody else's SIGKILL.
enum class KillReason : std::uint8_t {
  kHung = 1,
  kGarbage,
  kSlowStart,
  kShutdown,
  kForeign,
  kDeaf,
  kNoMemory
};

// The supervisor's side of one worker: its process, its end of the channel, its answer area and the
// request it works on. Owns them all; destroying it kills the process. Bound to one thread.
class Worker {
 public:
  struct Callbacks {
    std::function<void(Worker&)> ready;
    std::function<void(Worker&, const ipc::JobDone&)> job_done;
    std::function<void(Worker&, const ipc::HeapDone&)> heap_done;
    std::function<void(Worker&)> garbage;                   // it sent what nobody asked for
    std::function<void(Worker&, const ExitStatus&)> ended;  // may destroy the worker
  };

  // Error: kOverloaded (no descriptor, no memory).
  static Result<std::unique_ptr<Worker>> Create(EventLoop& loop, std::uint32_t id,
                                                std::size_t answer_bytes, Callbacks callbacks);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // What the zygote needs to fork it: two descriptors, of which the first is given up by
  // CloseTheirEnd once they have been sent.
  int their_channel_fd() const { return their_channel_.fd(); }
  int area_fd() const { return area_.fd(); }
  void CloseTheirEnd() { their_channel_ = ipc::Channel(); }
  // The zygote has told its process, or the worker itself has. Error: kNotFound when it is gone.
  Result<void> Adopt(pid_t pid);

  // Error: those of Channel::Send; the worker has not got it then. REQUIRES: kIdle.
  Result<void> Assign(std::unique_ptr<Request> request);
  // It has died before it had read its request: whatever ended it, it was not that.
  bool LeftRequestUnread() const { return channel_.peer_left_unread() && !sent_since_request_; }
  std::unique_ptr<Request> TakeRequest() { return std::move(request_); }
  // Its client has gone: frees the slot, and what the completion captured. The worker goes on until
  // its answer, which nobody will get. REQUIRES: request().
  void CancelRequest();
  // The answer of `done` out of the area. Errors: kInternal, when what stands there is not what the
  // worker says it wrote.
  Result<std::string> ReadAnswer(const ipc::JobDone& done) const;
  void TrimAnswerArea();

  Result<void> Send(const ipc::Message& message, std::span<const int> fds = {});
  void SignalStop();  // a message; it ends when it has read it
  void Kill(KillReason reason);

  std::uint32_t id() const { return id_; }
  pid_t pid() const { return pid_; }  // 0 before it is known
  const Request* request() const { return request_.get(); }
  std::size_t answer_bytes() const { return area_.bytes().size(); }

  // What the pool keeps of it.
  WorkerState state = WorkerState::kForking;
  std::uint32_t generation = 0;  // of the zygote
  std::uint32_t models = 0;
  SteadyTime created{}, ready_at{}, assigned_at{};
  std::uint64_t requests = 0;
  std::uint64_t heap_bytes = 0;
  std::optional<RetireReason> retire;  // it will leave once its successor is up
  bool evict = false;                  // it leaves as soon as it is idle, successor or not
  std::optional<KillReason> killed;
  std::optional<SteadyTime> replaces_death_at;  // it was forked because another one died then
  EventLoop::Handle deadline;                   // of its start, its request or its leaving

 private:
  Worker(EventLoop& loop, std::uint32_t id, ipc::AnswerArea area, Callbacks callbacks)
      : loop_(loop), id_(id), area_(std::move(area)), callbacks_(std::move(callbacks)) {}

  void OnReadable();
  void Serve(const ipc::Message& message);
  void OnEnd();

  EventLoop& loop_;
  std::uint32_t id_;
  ipc::AnswerArea area_;
  Callbacks callbacks_;
  ipc::Channel channel_, their_channel_;
  ChildProcess process_;
  pid_t pid_ = 0;
  std::unique_ptr<Request> request_;
  bool sent_since_request_ = false;
  std::size_t heap_answers_due_ = 0;
  EventLoop::Handle channel_watch_, process_watch_;
};

}  // namespace holostat::runtime
