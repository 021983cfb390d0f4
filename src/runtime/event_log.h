#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/observers.h"
#include "runtime/service_status.h"

namespace holostat::runtime {

// The last things that happened, one line each: the oldest leaves when it is full. Each is also
// given to a listener, which writes it to a log, and to observers, of which there are at most
// kMaxObservers. None of them may change what the event is about: they are told in the middle of
// it. Bound to one thread.
class EventLog {
 public:
  using Listener = std::function<void(const ServiceEvent&)>;
  using Observation = Observers<const ServiceEvent&>::Handle;
  static constexpr std::size_t kMaxObservers = 64;

  EventLog(const Clock& clock, std::size_t capacity, Listener listener)
      : clock_(clock), start_(clock.Now()), capacity_(capacity), listener_(std::move(listener)) {}

  void Add(std::string text) {
    const ServiceEvent event{UptimeSeconds(), std::move(text)};
    events_.push_back(event);
    if (events_.size() > capacity_) events_.pop_front();
    if (listener_) listener_(event);
    observers_.Notify(event);
  }

  // From the next event on, as long as the handle lives. Errors: those of Observers::Add.
  Result<Observation> Observe(Listener listener) { return observers_.Add(std::move(listener)); }

  double UptimeSeconds() const {
    return std::chrono::duration<double>(clock_.Now() - start_).count();
  }
  const std::deque<ServiceEvent>& events() const { return events_; }

 private:
  const Clock& clock_;
  SteadyTime start_;
  std::size_t capacity_;
  Listener listener_;
  std::deque<ServiceEvent> events_;
  Observers<const ServiceEvent&> observers_{kMaxObservers};
};

}  // namespace holostat::runtime
