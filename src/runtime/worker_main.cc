#include "runtime/worker_main.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "base/heap_control.h"
#include "ipc/hash.h"
#include "ipc/slot.h"
#include "runtime/heap_command.h"

namespace holostat::runtime {
namespace {

constexpr int kSupervisorGone = 0;
constexpr int kBrokenChannel = 70;  // EX_SOFTWARE of sysexits.h

std::uint32_t Microseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

class Worker {
 public:
  Worker(WorkerSeat seat, JobHandler& handler, FaultHook* faults)
      : seat_(std::move(seat)), handler_(handler), faults_(faults) {}

  int Run();

 private:
  // False: time to leave, with exit_code_.
  bool Serve(ipc::Received received);
  void ServeJob(const ipc::Job& job, int slot_fd);
  Result<JobOutcome> Answer(const ipc::Job& job, int slot_fd);
  std::size_t WriteError(const Error& error);
  bool Send(const ipc::Message& message);

  WorkerSeat seat_;
  JobHandler& handler_;
  FaultHook* faults_;
  int exit_code_ = 0;
};

int Worker::Run() {
  if (!Send(ipc::WorkerReady{seat_.worker_id, static_cast<std::uint32_t>(::getpid())}))
    return kSupervisorGone;
  for (;;) {
    if (!seat_.channel.WaitReadable()) return kSupervisorGone;
    auto received = seat_.channel.Receive();
    if (!received) {
      const bool gone = received.error().code == ErrorCode::kUnavailable;
      return gone ? kSupervisorGone : kBrokenChannel;
    }
    if (*received && !Serve(*std::move(*received))) return exit_code_;
  }
}

bool Worker::Serve(ipc::Received received) {
  if (const auto* job = std::get_if<ipc::Job>(&received.message)) {
    ServeJob(*job, received.fds[0].get());
  } else if (std::holds_alternative<ipc::Trim>(received.message)) {
    handler_.Trim();
    ReleaseFreeHeap();
  } else if (const auto* command = std::get_if<ipc::HeapCommand>(&received.message)) {
    return Send(RunHeapCommand(*command, received.fds[0].get()));
  } else if (std::holds_alternative<ipc::Stop>(received.message)) {
    return false;
  }
  return true;
}

void Worker::ServeJob(const ipc::Job& job, int slot_fd) {
  const auto start = std::chrono::steady_clock::now();
  if (faults_ != nullptr) faults_->BeforeJob(job.fault);
  const auto outcome = Answer(job, slot_fd);
  ipc::JobDone done{.request_id = job.request_id, .attempt = job.attempt};
  done.answer_bytes = outcome ? outcome->answer_bytes : WriteError(outcome.error());
  done.error = outcome ? std::uint8_t{0} : static_cast<std::uint8_t>(outcome.error().code);
  done.answer_hash = ipc::Hash64(std::as_const(seat_.answer_area).bytes().first(done.answer_bytes));
  if (outcome) {
    done.decode_us = Microseconds(outcome->decode);
    done.encode_us = Microseconds(outcome->encode);
  }
  const std::uint32_t all_us = Microseconds(std::chrono::steady_clock::now() - start);
  done.inference_us = all_us - std::min(all_us, done.decode_us + done.encode_us);
  done.heap_bytes = HeapInUseBytes();
  if (faults_ != nullptr) faults_->BeforeAnswer(job.fault, seat_.answer_area.bytes(), done);
  Send(done);  // if the supervisor has gone, the next wait tells
  if (faults_ != nullptr) faults_->AfterAnswer(job.fault);
}

Result<JobOutcome> Worker::Answer(const ipc::Job& job, int slot_fd) {
  try {
    const Mapping request = HOLO_TRY(ipc::MapSealedSlot(slot_fd, job.request_bytes));
    return handler_.Handle(job, request.bytes(), seat_.answer_area.bytes());
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kOverloaded, "not enough memory for this request");
  }
}

std::size_t Worker::WriteError(const Error& error) {
  const std::size_t size =
      std::min({error.message.size(), seat_.answer_area.size(), ipc::kMaxTextBytes});
  std::memcpy(seat_.answer_area.bytes().data(), error.message.data(), size);
  return size;
}

bool Worker::Send(const ipc::Message& message) { return seat_.channel.Send(message).has_value(); }

}  // namespace

int RunWorker(WorkerSeat seat, JobHandler& handler, FaultHook* faults) {
  return Worker(std::move(seat), handler, faults).Run();
}

}  // namespace holostat::runtime
