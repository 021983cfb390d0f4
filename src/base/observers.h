#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"

namespace holostat {

// Who wants to be told of something. A registration lives as long as its handle, so a listener that
// keeps the handle beside what its callback uses can neither be called after its death nor be
// forgotten in the list.
//
// Bound to one thread. Callbacks may add, drop any handle (their own, too), notify again, and
// destroy the list. One that is added during a Notify is called from the next one on; one that is
// dropped is not called again. The order of calls is not specified. Notify makes no heap call.
template <class... Args>
class Observers {
  struct State;

 public:
  using Callback = std::function<void(Args...)>;

  // Unregisters in its destructor: then the callback and what it captured are destroyed (if it is
  // running: when it returns). May outlive the list.
  class [[nodiscard]] Handle {
   public:
    Handle() = default;
    Handle(Handle&& other) noexcept
        : state_(std::move(other.state_)), id_(std::exchange(other.id_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
      if (this == &other) return *this;
      reset();
      state_ = std::move(other.state_);
      id_ = std::exchange(other.id_, 0);
      return *this;
    }
    ~Handle() { reset(); }

    void reset() {
      const auto state = std::exchange(state_, {}).lock();
      const std::uint64_t id = std::exchange(id_, 0);
      if (state) state->Remove(id);
    }
    explicit operator bool() const { return id_ != 0; }

   private:
    friend class Observers;
    Handle(std::weak_ptr<State> state, std::uint64_t id) : state_(std::move(state)), id_(id) {}
    std::weak_ptr<State> state_;
    std::uint64_t id_ = 0;
  };

  explicit Observers(std::size_t capacity) : state_(std::make_shared<State>(capacity)) {}
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;
  ~Observers() {
    for (Slot& slot : state_->slots) slot.Clear();
  }

  // Errors: kOverloaded (`capacity` are registered), kInvalidArgument (an empty callback).
  [[nodiscard]] Result<Handle> Add(Callback callback) {
    if (!callback) return Fail(ErrorCode::kInvalidArgument, "there is no callback to register");
    for (Slot& slot : state_->slots) {
      if (slot.callback != nullptr) continue;
      slot.callback = std::make_shared<const Callback>(std::move(callback));
      slot.id = state_->next_id++;
      return Handle(state_, slot.id);
    }
    return Fail(ErrorCode::kOverloaded, "as many observers are registered as there may be");
  }

  void Notify(Args... args) {
    const auto state = state_;  // a callback may destroy the list
    const std::uint64_t end = state->next_id;
    for (const Slot& slot : state->slots) {
      if (slot.id >= end) continue;         // came while we notify
      const auto callback = slot.callback;  // keeps it alive if its handle is dropped inside
      if (callback != nullptr) (*callback)(args...);
    }
  }

  std::size_t size() const {
    std::size_t count = 0;
    for (const Slot& slot : state_->slots) count += slot.callback != nullptr;
    return count;
  }

 private:
  struct Slot {
    std::uint64_t id = 0;
    std::shared_ptr<const Callback> callback;

    // Empties the slot first: what the callback captured may hold handles of this very list.
    void Clear() { const auto last = std::exchange(callback, nullptr); }
  };
  struct State {
    explicit State(std::size_t capacity) : slots(capacity) {}
    void Remove(std::uint64_t id) {
      for (Slot& slot : slots) {
        if (slot.id != id) continue;
        slot.Clear();
        return;
      }
    }
    std::vector<Slot> slots;  // never resized
    std::uint64_t next_id = 1;
  };

  std::shared_ptr<State> state_;
};

}  // namespace holostat
