#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "ipc/message.h"
#include "runtime/event_loop.h"
#include "runtime/heap_requests.h"

namespace holostat::runtime {

// Asks workers and the zygote for their heaps and waits for the answers: at most kMaxPending at a
// time, each at most kPatience. Bound to the thread of its loop.
class HeapBroker {
 public:
  static constexpr std::size_t kMaxPending = 16;
  static constexpr std::chrono::seconds kPatience{10};

  // Who is asked: how to send to it, and who it is.
  struct Target {
    std::function<Result<void>(const ipc::Message&, std::span<const int>)> send;
    std::int64_t pid = 0;
    std::string name;  // "worker 3"
  };
  // "" of a start or stop; of a dump the text of a snapshot (heap_snapshot.h).
  using Done = std::function<void(Result<std::string>)>;

  explicit HeapBroker(EventLoop& loop) : loop_(loop) {}
  HeapBroker(const HeapBroker&) = delete;
  HeapBroker& operator=(const HeapBroker&) = delete;

  // `done` is called exactly once, maybe at once: unless the broker is destroyed before.
  void Ask(const Target& target, const HeapRequest& request, Done done);

  // Of the process `pid`. What nobody waits for, or of another one than that, is ignored.
  void OnHeapDone(std::int64_t pid, const ipc::HeapDone& done);
  void OnGone(std::int64_t pid);  // its answers will not come

 private:
  struct Pending {
    std::int64_t pid = 0;
    std::string name;
    UniqueFd dump;  // memfd; none but for a dump
    Done done;
    EventLoop::Handle timeout;
  };
  void Finish(std::uint64_t command_id, Result<std::string> answer);

  EventLoop& loop_;
  std::map<std::uint64_t, Pending> pending_;
  std::uint64_t next_command_ = 1;
};

}  // namespace holostat::runtime
