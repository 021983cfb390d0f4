#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "runtime/service_status.h"

namespace holostat::runtime {

// The last things that happened, one line each: the oldest leaves when it is full. Each is also
// given to a listener, which writes it to a log. Bound to one thread.
class EventLog {
 public:
  using Listener = std::function<void(const ServiceEvent&)>;

  EventLog(const Clock& clock, std::size_t capacity, Listener listener)
      : clock_(clock), start_(clock.Now()), capacity_(capacity), listener_(std::move(listener)) {}

  void Add(std::string text) {
    events_.push_back({UptimeSeconds(), std::move(text)});
    if (events_.size() > capacity_) events_.pop_front();
    if (listener_) listener_(events_.back());
  }

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
};

}  // namespace holostat::runtime
