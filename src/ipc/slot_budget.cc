#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "ipc/slot.h"

namespace holostat::ipc {

SlotBudget::~SlotBudget() { HOLO_CHECK(slots_ == 0 && total_bytes_ == 0); }

SlotBudget::Lease::Lease(Lease&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), slot_(std::move(other.slot_)) {}

SlotBudget::Lease& SlotBudget::Lease::operator=(Lease&& other) noexcept {
  if (this == &other) return *this;
  if (budget_ != nullptr) budget_->Return(slot_.size());
  budget_ = std::exchange(other.budget_, nullptr);
  slot_ = std::move(other.slot_);
  return *this;
}

SlotBudget::Lease::~Lease() {
  if (budget_ != nullptr) budget_->Return(slot_.size());
}

Result<SlotBudget::Lease> SlotBudget::Acquire(std::size_t bytes) {
  if (bytes == 0) return Fail(ErrorCode::kInvalidArgument, "a request without bytes");
  const std::size_t largest = std::min(limits_.max_slot_bytes, limits_.max_total_bytes);
  if (bytes > largest) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("a request of {} bytes, the limit is {}", bytes, largest));
  }
  if (slots_ >= limits_.max_slots || bytes > limits_.max_total_bytes - total_bytes_) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("{} requests hold {} bytes, with {} more the limit is exceeded", slots_,
                            total_bytes_, bytes));
  }
  auto slot = HOLO_TRY(Slot::Create(bytes));
  ++slots_;
  total_bytes_ += bytes;
  return Lease(this, std::move(slot));
}

void SlotBudget::Return(std::size_t bytes) {
  --slots_;
  total_bytes_ -= bytes;
}

}  // namespace holostat::ipc
