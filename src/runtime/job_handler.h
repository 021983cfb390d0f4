#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "ipc/message.h"

namespace holostat::runtime {

struct JobOutcome {
  std::size_t answer_bytes = 0;
  std::chrono::nanoseconds decode{0}, encode{0};  // of the time that it took
};

// What a worker does with one request. Made once, in the zygote, with its models loaded; used in
// the workers forked from it, each of which has its own copy. Bound to one thread.
class JobHandler {
 public:
  virtual ~JobHandler() = default;

  virtual std::uint32_t models() const = 0;  // as in ipc::ZygoteReady

  // In a new worker, before its sandbox: touch the memory that every job needs.
  virtual void PrepareWorker() = 0;

  // Writes the answer to `request` to the start of `answer`. Errors are of the
  // request (kCorruptData, kLimitExceeded, ...), or kOverloaded without memory for it, or
  // kInternal. May throw std::bad_alloc.
  virtual Result<JobOutcome> Handle(const ipc::Job& job, std::span<const std::byte> request,
                                    std::span<std::byte> answer) = 0;

  virtual void Trim() = 0;  // give back what is only kept to be faster next time
};

}  // namespace holostat::runtime
