#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "ipc/message.h"
#include "ipc/slot.h"

namespace holostat::runtime {

struct Answer {
  std::string bytes;
  std::uint32_t attempts = 1;
  std::chrono::microseconds inference{0};  // in the worker
  ipc::Complexity complexity =
      ipc::Complexity::kFull;  // that was used: lighter than asked under pressure
};

// Called once for each request that was accepted, from the supervisor's Step.
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
};

}  // namespace holostat::runtime
