#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/clock.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat::runtime {

// Waits for descriptors and times on one thread: epoll, with a timerfd for the next time. Its own
// fd() is readable when Step has something to do, so a loop can be put inside another one.
//
// Bound to one thread. Callbacks run inside Step and may add and remove anything, themselves too.
class EventLoop {
 public:
  // Ends a registration when destroyed. May outlive the loop.
  class Handle {
   public:
    Handle() = default;
    Handle(Handle&&) noexcept = default;
    Handle& operator=(Handle&& other) noexcept;
    ~Handle() { reset(); }
    void reset();
    explicit operator bool() const { return id_ != 0; }

   private:
    friend class EventLoop;
    struct State;
    Handle(std::weak_ptr<State> state, std::uint64_t id) : state_(std::move(state)), id_(id) {}
    std::weak_ptr<State> state_;
    std::uint64_t id_ = 0;
  };

  static Result<std::unique_ptr<EventLoop>> Create(const Clock& clock);  // outlives the loop
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Calls `ready` with the epoll events (EPOLLIN, EPOLLHUP, ...) each time `fd` has some.
  // REQUIRES: `fd` open until the handle is destroyed. Error: kOverloaded.
  [[nodiscard]] Result<Handle> Watch(int fd, std::uint32_t events,
                                     std::function<void(std::uint32_t)> ready);

  // Calls `due` once, at `time` or soon after.
  [[nodiscard]] Handle At(SteadyTime time, std::function<void()> due);
  [[nodiscard]] Handle After(std::chrono::nanoseconds delay, std::function<void()> due);
  // And again each `period`.
  [[nodiscard]] Handle Every(std::chrono::nanoseconds period, std::function<void()> due);

  int fd() const;
  // Handles what is ready; waits at most `timeout` for something to be. Says how many callbacks
  // ran.
  std::size_t Step(std::chrono::milliseconds timeout = std::chrono::milliseconds(0));

  SteadyTime Now() const;

 private:
  explicit EventLoop(std::shared_ptr<Handle::State> state) : state_(std::move(state)) {}
  std::shared_ptr<Handle::State> state_;
};

}  // namespace holostat::runtime
