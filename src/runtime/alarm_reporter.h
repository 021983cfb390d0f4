#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>

#include "runtime/child_process.h"
#include "runtime/event_loop.h"
#include "runtime/heap_report_process.h"
#include "runtime/heap_snapshot.h"

namespace holostat::runtime {

// Turns snapshots into the lists of allocation sites that alarms carry, in a process of its own
// each (heap_report_process.h), one after the other. At most kMaxWaiting wait; then the newest is
// refused: the first alarms of a leak are as good as the last. Bound to the thread of its loop.
class AlarmReporter {
 public:
  static constexpr std::size_t kMaxWaiting = 4;
  static constexpr std::chrono::seconds kPatience{60};
  static constexpr std::size_t kMaxReportBytes = 64u << 10;

  using Done = std::function<void(std::string report)>;  // of what failed: why

  AlarmReporter(EventLoop& loop, std::string program) : loop_(loop), program_(std::move(program)) {}
  AlarmReporter(const AlarmReporter&) = delete;
  AlarmReporter& operator=(const AlarmReporter&) = delete;

  void Report(HeapSnapshot snapshot, Done done);
  bool IsIdle() const { return !current_ && waiting_.empty(); }
  pid_t pid() const { return process_.pid(); }  // of the process at work; 0: none

 private:
  struct Order {
    HeapSnapshot snapshot;
    Done done;
  };
  void StartNext();
  void OnReadable();
  void Finish(std::string report);

  EventLoop& loop_;
  std::string program_;
  std::deque<Order> waiting_;
  std::optional<Order> current_;
  ChildProcess process_;
  UniqueFd output_;
  std::string text_;
  EventLoop::Handle watch_, timeout_;
};

}  // namespace holostat::runtime
