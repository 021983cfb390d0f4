#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/result.h"
#include "runtime/supervisor.h"

namespace holostat::server {

// The body of a request on its way into a shared slot. Takes room from the supervisor's budget as
// it comes: the exact size where that is known, else a little, then twice as much. Dropped with its
// owner, and its room with it. Bound to the thread of the supervisor.
class BodySink {
 public:
  // `supervisor` outlives the sink.
  BodySink(runtime::Supervisor& supervisor, std::size_t max_bytes)
      : supervisor_(supervisor), max_bytes_(max_bytes) {}

  // Room for exactly `bytes`. Errors: kLimitExceeded, kOverloaded; nothing is allocated then.
  Result<void> Expect(std::size_t bytes);
  // Where the next bytes go, after Expect; empty when all are there.
  std::span<std::byte> Room();
  void Advance(std::size_t bytes) { size_ += bytes; }

  // For a body of unknown length. Errors: those of Expect.
  Result<void> Append(std::span<const std::byte> bytes);

  std::size_t size() const { return size_; }
  std::span<const std::byte> bytes();

  // The slot, exactly as large as what came in, sealed. Errors: kInvalidArgument (nothing came),
  // kOverloaded, kInternal.
  Result<ipc::SlotBudget::Lease> Take();

 private:
  Result<void> Grow(std::size_t bytes);

  runtime::Supervisor& supervisor_;
  std::size_t max_bytes_;
  std::size_t size_ = 0;
  std::optional<ipc::SlotBudget::Lease> lease_;
};

// A sealed slot with these bytes: for what was cut out of a larger body. Errors: those of
// SlotBudget::Acquire.
Result<ipc::SlotBudget::Lease> SlotOf(runtime::Supervisor& supervisor,
                                      std::span<const std::byte> bytes);

}  // namespace holostat::server
