#include "runtime/event_loop.h"

#include <fmt/format.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <unordered_map>

#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

constexpr std::uint64_t kTimerId = 0;

struct Watched {
  int fd;
  // Shared with the call that is under way, so that a callback may remove itself.
  std::shared_ptr<std::function<void(std::uint32_t)>> ready;
};

struct Timer {
  std::chrono::nanoseconds period;  // 0: once
  std::shared_ptr<std::function<void()>> due;
};

using TimeKey = std::pair<SteadyTime, std::uint64_t>;

}  // namespace

struct EventLoop::State {
  explicit State(const Clock& its_clock) : clock(its_clock) {}

  void ArmTimer();
  std::size_t RunTimers();
  void Add(std::uint64_t id, SteadyTime time, Timer timer);
  void Remove(std::uint64_t id);

  const Clock& clock;
  UniqueFd epoll, timer;
  std::uint64_t next_id = kTimerId + 1;
  std::unordered_map<std::uint64_t, Watched> watched;
  std::map<TimeKey, Timer> timers;                       // soonest first
  std::unordered_map<std::uint64_t, SteadyTime> due_at;  // by id: where in `timers`
};

// The timerfd only wakes who waits on fd(); what is due is told by the clock.
void EventLoop::State::ArmTimer() {
  itimerspec spec{};
  if (!timers.empty()) {
    // A duration, since a test's clock does not run with the kernel's; 0 would disarm.
    const auto wait =
        std::max(timers.begin()->first.first - clock.Now(), std::chrono::nanoseconds(1));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait);
    spec.it_value.tv_sec = seconds.count();
    spec.it_value.tv_nsec = std::chrono::nanoseconds(wait - seconds).count();
  }
  ::timerfd_settime(timer.get(), 0, &spec, nullptr);
}

void EventLoop::State::Add(std::uint64_t id, SteadyTime time, Timer new_timer) {
  timers.emplace(TimeKey(time, id), std::move(new_timer));
  due_at.emplace(id, time);
  if (timers.begin()->first.second == id) ArmTimer();
}

void EventLoop::State::Remove(std::uint64_t id) {
  if (const auto found = watched.find(id); found != watched.end()) {
    ::epoll_ctl(epoll.get(), EPOLL_CTL_DEL, found->second.fd, nullptr);
    watched.erase(found);
  } else if (const auto time = due_at.find(id); time != due_at.end()) {
    timers.erase({time->second, id});
    due_at.erase(time);
  }
}

// Only what was due when it started: a callback that adds a timer for now does not keep it here.
std::size_t EventLoop::State::RunTimers() {
  std::uint64_t expirations;
  [[maybe_unused]] const auto ignored = ::read(timer.get(), &expirations, sizeof expirations);
  const SteadyTime now = clock.Now();
  std::size_t count = 0;
  const std::uint64_t newest = next_id;
  while (!timers.empty() && timers.begin()->first.first <= now &&
         timers.begin()->first.second < newest) {
    auto node = timers.extract(timers.begin());
    const std::uint64_t id = node.key().second;
    const auto due = node.mapped().due;
    due_at.erase(id);
    if (const auto period = node.mapped().period; period.count() > 0) {
      Add(id, now + period, std::move(node.mapped()));
    }
    (*due)();
    ++count;
  }
  ArmTimer();
  return count;
}

void EventLoop::Handle::reset() {
  if (const auto state = state_.lock(); state && id_ != 0) state->Remove(id_);
  state_.reset();
  id_ = 0;
}

Result<std::unique_ptr<EventLoop>> EventLoop::Create(const Clock& clock) {
  auto state = std::make_shared<State>(clock);
  state->epoll.reset(::epoll_create1(EPOLL_CLOEXEC));
  state->timer.reset(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kTimerId;
  if (!state->epoll || !state->timer ||
      ::epoll_ctl(state->epoll.get(), EPOLL_CTL_ADD, state->timer.get(), &event) != 0) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("cannot create an event loop: {}", std::strerror(errno)));
  }
  return std::unique_ptr<EventLoop>(new EventLoop(std::move(state)));
}

EventLoop::~EventLoop() = default;

Result<EventLoop::Handle> EventLoop::Watch(int fd, std::uint32_t events,
                                           std::function<void(std::uint32_t)> ready) {
  const std::uint64_t id = state_->next_id++;
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  if (::epoll_ctl(state_->epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("cannot watch descriptor {}: {}", fd, std::strerror(errno)));
  }
  state_->watched.emplace(
      id, Watched{fd, std::make_shared<std::function<void(std::uint32_t)>>(std::move(ready))});
  return Handle(state_, id);
}

EventLoop::Handle EventLoop::At(SteadyTime time, std::function<void()> due) {
  const std::uint64_t id = state_->next_id++;
  state_->Add(id, time, {{}, std::make_shared<std::function<void()>>(std::move(due))});
  return Handle(state_, id);
}

EventLoop::Handle EventLoop::After(std::chrono::nanoseconds delay, std::function<void()> due) {
  return At(Now() + delay, std::move(due));
}

EventLoop::Handle EventLoop::Every(std::chrono::nanoseconds period, std::function<void()> due) {
  const std::uint64_t id = state_->next_id++;
  state_->Add(id, Now() + period,
              {period, std::make_shared<std::function<void()>>(std::move(due))});
  return Handle(state_, id);
}

int EventLoop::fd() const { return state_->epoll.get(); }

const Clock& EventLoop::clock() const { return state_->clock; }

std::size_t EventLoop::Step(std::chrono::milliseconds timeout) {
  const auto keep = state_;  // a callback may destroy the loop's owner
  std::array<epoll_event, 64> events;
  const int count = ::epoll_wait(keep->epoll.get(), events.data(), static_cast<int>(events.size()),
                                 static_cast<int>(timeout.count()));
  // Descriptors before times: a deadline must not pass over an answer that is there already, after
  // this process was stopped or starved for a while.
  std::size_t callbacks = 0;
  for (int i = 0; i < count; ++i) {
    // Not there any more when an earlier callback of this round removed it.
    const auto found = keep->watched.find(events[static_cast<std::size_t>(i)].data.u64);
    if (found == keep->watched.end()) continue;
    const auto ready = found->second.ready;
    (*ready)(events[static_cast<std::size_t>(i)].events);
    ++callbacks;
  }
  return callbacks + keep->RunTimers();
}

}  // namespace holostat::runtime
