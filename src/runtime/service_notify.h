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
  struct Variables {
    std::string socket;         // NOTIFY_SOCKET; empty: there is nobody to tell
    std::string watchdog_usec;  // WATCHDOG_USEC; empty: there is no watchdog
    std::string watchdog_pid;   // WATCHDOG_PID; empty: it is for us
  };
  // Takes them out of the environment, so that no child speaks for us: before the first one starts.
  static Variables TakeVariables();

  // Error: kInvalidArgument (a variable that says nothing sensible, a socket that takes nothing).
  static Result<std::unique_ptr<ServiceNotify>> Create(const Variables& variables);
  ServiceNotify(const ServiceNotify&) = delete;
  ServiceNotify& operator=(const ServiceNotify&) = delete;

  // From here on, if there is a watchdog, the loop sends its sign of life each half of its time: a
  // loop that is stuck is one that the manager ends and starts again. For once.
  void StartWatchdog(EventLoop& loop);

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
  void Send(std::string_view message);

  UniqueFd socket_;
  State state_ = State::kStarting;
  std::string status_;
  std::chrono::microseconds watchdog_period_{0};
  EventLoop::Handle watchdog_;
};

}  // namespace holostat::runtime
