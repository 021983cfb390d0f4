#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "runtime/event_loop.h"

namespace holostat::runtime {

// Tells the service manager how we are (sd_notify(3), Type=notify), by datagrams on the socket that
// NOTIFY_SOCKET names. Without that variable it says nothing. Never waits: a manager that does not
// take a message misses it. Bound to the thread of the loop.
class ServiceNotify {
 public:
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID and removes them, so that no child speaks
  // for us: call it before the first one starts. While there is a watchdog, the loop sends its sign
  // of life each half of its time: a loop that is stuck is one that the manager ends and starts
  // again. `loop` outlives this. Error: kInvalidArgument (a variable that says nothing sensible).
  static Result<std::unique_ptr<ServiceNotify>> FromEnvironment(EventLoop& loop);
  ServiceNotify(const ServiceNotify&) = delete;
  ServiceNotify& operator=(const ServiceNotify&) = delete;

  // Each sends only when it changes what the manager knows.
  void Ready();
  void Reloading();  // Ready ends it
  void Stopping();
  void Status(std::string_view text);  // one line for `systemctl status`

  bool is_listened_to() const { return static_cast<bool>(socket_); }
  std::chrono::microseconds watchdog_period() const { return watchdog_period_; }  // 0: none

 private:
  enum class State { kStarting, kReady, kReloading, kStopping };

  ServiceNotify() = default;
  Result<void> Connect(std::string_view name);
  void StartWatchdog(EventLoop& loop, std::chrono::microseconds timeout);
  void Send(std::string_view message);

  UniqueFd socket_;
  State state_ = State::kStarting;
  std::string status_;
  std::chrono::microseconds watchdog_period_{0};
  EventLoop::Handle watchdog_;
};

}  // namespace holostat::runtime
