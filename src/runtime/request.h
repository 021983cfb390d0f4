#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "ipc/message.h"
#include "ipc/slot.h"

namespace holostat::runtime {

// Where the time between a request and its answer went.
struct StageTimes {
  std::chrono::microseconds queue{0};  // until the worker that answered got it
  std::chrono::microseconds decode{0}, inference{0}, encode{0};  // in that worker

  std::chrono::microseconds in_worker() const { return decode + inference + encode; }
};

struct Answer {
  std::string bytes;
  std::uint32_t attempts = 1;
  StageTimes times = {};
  // That was used: lighter than asked under pressure.
  ipc::Complexity complexity = ipc::Complexity::kFull;
  std::uint32_t worker_id = 0;  // in a session: when it changes, nothing is known of frames before
};

// Called once for each request that was accepted and not cancelled, from the supervisor's Step.
// What it captured is destroyed after it was called, or when the request is cancelled.
using Completion = std::function<void(Result<Answer>)>;

// A request from its admission to its answer.
struct Request {
  std::uint64_t id = 0;
  ipc::Job job;  // request_id, attempt and request_bytes are the pool's
  ipc::Complexity requested = ipc::Complexity::kFull;  // job.complexity may become lighter
  ipc::SlotBudget::Lease slot;
  Completion complete;
  SteadyTime admitted{};
  SteadyTime queued{};       // since when it waits: for its first or next attempt
  std::uint32_t deaths = 0;  // workers it has ended
  std::uint32_t unread = 0;  // workers that died before they had read it
  bool cancelled = false;    // its client has gone: no slot, no completion
};

}  // namespace holostat::runtime
