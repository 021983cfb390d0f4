#pragma once

#include <signal.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ipc/channel.h"
#include "runtime/child_process.h"
#include "runtime/event_loop.h"

namespace holostat::runtime {

// How a zygote is started: this program and arguments, to which come "--supervisor PID
// --models-mask N" and its channel as descriptor 3.
struct ZygoteCommand {
  std::string program;
  std::vector<std::string> arguments;
};

// The supervisor's side of one zygote: starts it, asks it to fork, sees it end. Bound to the thread
// of its loop; callbacks come from the loop. Destroying it kills and reaps the process.
class ZygoteProcess {
 public:
  struct Callbacks {
    std::function<void(ZygoteProcess&, const ipc::ZygoteReady&)> ready;
    std::function<void(const ipc::WorkerForked&)> forked;
    std::function<void(ZygoteProcess&, const ipc::HeapDone&)> heap_done;
    // It has ended, or sent what is no message and was killed. May destroy this object.
    std::function<void(ZygoteProcess&, const ExitStatus&)> ended;
  };

  // Errors: those of ChildProcess::Spawn, kOverloaded.
  static Result<std::unique_ptr<ZygoteProcess>> Start(EventLoop& loop, const ZygoteCommand& command,
                                                      std::uint32_t models, Callbacks callbacks);
  ZygoteProcess(const ZygoteProcess&) = delete;
  ZygoteProcess& operator=(const ZygoteProcess&) = delete;

  bool is_ready() const { return ready_; }
  std::uint32_t models() const { return models_; }  // loaded, or being loaded
  pid_t pid() const { return pid_; }                // still told when it has ended
  SteadyTime started() const { return started_; }
  std::uint64_t heap_bytes() const { return heap_bytes_; }

  // The answer comes through `forked`. The channel and the area stay the caller's. Errors: those of
  // Channel::Send.
  Result<void> Fork(const ipc::ForkWorker& order, int channel_fd, int area_fd);
  Result<void> Send(const ipc::Message& message, std::span<const int> fds = {});
  void Kill() const { process_.Signal(SIGKILL); }

 private:
  ZygoteProcess(EventLoop& loop, std::uint32_t models, Callbacks callbacks)
      : loop_(loop), models_(models), callbacks_(std::move(callbacks)) {}

  void OnReadable();
  void Serve(const ipc::Message& message);
  void OnEnd();

  EventLoop& loop_;
  std::uint32_t models_;
  Callbacks callbacks_;
  SteadyTime started_{};
  bool ready_ = false;
  std::uint64_t heap_bytes_ = 0;
  ipc::Channel channel_;
  ChildProcess process_;
  pid_t pid_ = 0;
  EventLoop::Handle channel_watch_, process_watch_;
};

}  // namespace holostat::runtime
