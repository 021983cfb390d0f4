#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "base/result.h"
#include "base/unique_fd.h"
#include "runtime/event_loop.h"

namespace holostat::runtime {

// Signals of this process as calls from a loop. While it lives they are blocked in the calling
// thread (and in threads started after), and do nothing else. Bound to the thread of the loop.
class SignalWatch {
 public:
  // `on_signal` may destroy the watch. Error: kOverloaded (no descriptor).
  static Result<std::unique_ptr<SignalWatch>> Create(EventLoop& loop,
                                                     std::initializer_list<int> signals,
                                                     std::function<void(int)> on_signal);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  SignalWatch() = default;
  void OnReadable();

  struct Mask;
  std::unique_ptr<Mask> before_;
  UniqueFd fd_;
  std::function<void(int)> on_signal_;
  EventLoop::Handle watch_;
};

}  // namespace holostat::runtime
