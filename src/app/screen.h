#pragma once

#include <signal.h>
#include <termios.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "app/top_view.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat::app {

// The terminal taken over for a view that redraws itself: the other screen, no cursor, keys without
// Enter. Given back when destroyed, and before a signal ends or stops us.
//
// Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP and SIGWINCH of this thread and reads them from
// a descriptor instead. Bound to one thread; one at a time.
class Screen {
 public:
  // Whether standard output is a terminal that can do this.
  static bool IsPossible();
  // Error: kUnavailable.
  static Result<std::unique_ptr<Screen>> Create();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  struct Size {
    std::size_t columns = 80, rows = 24;
  };
  static Size size();

  // REQUIRES: fewer lines than rows (the cursor ends below the last one).
  void Draw(std::span<const ViewLine> lines);

  enum class Event {
    kTime = 1,  // the wait is over
    kRedraw,    // the size has changed, or we were stopped and go on
    kLeave,     // q, Ctrl-C, or a signal to end
  };
  Event Wait(std::chrono::milliseconds timeout);

  // The signal that ends us, Ctrl-C apart: to be raised once the screen is given back. 0: none.
  int fatal_signal() const { return fatal_signal_; }

 private:
  explicit Screen(UniqueFd signals) : signals_(std::move(signals)) {}
  void Enter();
  void Leave();
  void Stop();
  Event OnSignal();
  Event OnKey();

  UniqueFd signals_;
  sigset_t old_mask_{};
  termios old_terminal_{};
  bool has_keyboard_ = false;  // then old_terminal_ is to be restored
  bool keyboard_ended_ = false;
  int fatal_signal_ = 0;
};

}  // namespace holostat::app
