#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/result.h"

namespace holostat::runtime {

// Waits for descriptors and times on one thread. Its own fd() is readable when Step has something
// to do, so a loop can be put inside another one.
//
// Bound to one thread. Callbacks run inside Step and may add and remove anything, themselves too.
class EventLoop {
  struct State;

 public:
  // Ends a registration when destroyed. May outlive the loop.
  class Handle {
   public:
    Handle() = default;
    Handle(Handle&& other) noexcept
        : state_(std::move(other.state_)), id_(std::exchange(other.id_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
      if (this != &other) {
        reset();
        state_ = std::move(other.state_);
        id_ = std::exchange(other.id_, 0);
      }
      return *this;
    }
    ~Handle() { reset(); }
    void reset();
    explicit operator bool() const { return id_ != 0; }

   private:
    friend class EventLoop;
    Handle(std::weak_ptr<State> state, std::uint64_t id) : state_(std::move(state)), id_(id) {}
    std::weak_ptr<State> state_;
    std::uint64_t id_ = 0;
  };

  // `clock` outlives the loop. Error: kOverloaded (no descriptor left).
  static Result<std::unique_ptr<EventLoop>> Create(const Clock& clock);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Calls `ready` with the epoll events (EPOLLIN, EPOLLHUP, ...) each time `fd` has some.
  // REQUIRES: `fd` stays open until the handle is destroyed. Error: kOverloaded.
  [[nodiscard]] Result<Handle> Watch(int fd, std::uint32_t events,
                                     std::function<void(std::uint32_t)> ready);

  // Calls `due` once, at `time` or soon after.
  [[nodiscard]] Handle At(SteadyTime time, std::function<void()> due);
  [[nodiscard]] Handle After(std::chrono::nanoseconds delay, std::function<void()> due);
  // And again each `period`; missed times are not made up for.
  [[nodiscard]] Handle Every(std::chrono::nanoseconds period, std::function<void()> due);

  int fd() const;
  SteadyTime Now() const { return clock().Now(); }
  const Clock& clock() const;

  // Handles what is ready, after waiting at most `timeout` for something to be. Says how many
  // callbacks ran.
  std::size_t Step(std::chrono::milliseconds timeout = std::chrono::milliseconds(0));

 private:
  explicit EventLoop(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace holostat::runtime
