#include "server/body_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace holostat::server {
namespace {

constexpr std::size_t kFirstGrowth = 256u << 10;

}  // namespace

Result<void> BodySink::Expect(std::size_t bytes) {
  if (bytes > max_bytes_)
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("a body may have {} bytes at most", max_bytes_));
  lease_ = HOLO_TRY(supervisor_.AcquireSlot(bytes));
  return {};
}

std::span<std::byte> BodySink::Room() {
  return lease_ ? lease_->slot().bytes().subspan(size_) : std::span<std::byte>();
}

std::span<const std::byte> BodySink::bytes() {
  return lease_ ? lease_->slot().bytes().first(size_) : std::span<std::byte>();
}

Result<void> BodySink::Append(std::span<const std::byte> bytes) {
  if (bytes.size() > Room().size()) HOLO_TRY(Grow(size_ + bytes.size()));
  std::memcpy(Room().data(), bytes.data(), bytes.size());
  size_ += bytes.size();
  return {};
}

Result<void> BodySink::Grow(std::size_t bytes) {
  if (bytes > max_bytes_)
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("a body may have {} bytes at most", max_bytes_));
  const std::size_t room = std::min(max_bytes_, std::max({bytes, 2 * size_, kFirstGrowth}));
  auto larger = HOLO_TRY(supervisor_.AcquireSlot(room));
  if (size_ > 0) std::memcpy(larger.slot().bytes().data(), this->bytes().data(), size_);
  lease_ = std::move(larger);
  return {};
}

Result<ipc::SlotBudget::Lease> BodySink::Take() {
  if (size_ == 0) return Fail(ErrorCode::kInvalidArgument, "the body is empty");
  if (lease_->slot().size() != size_) return SlotOf(supervisor_, bytes());
  HOLO_TRY(lease_->slot().Seal());
  return *std::move(lease_);
}

Result<ipc::SlotBudget::Lease> SlotOf(runtime::Supervisor& supervisor,
                                      std::span<const std::byte> bytes) {
  auto lease = HOLO_TRY(supervisor.AcquireSlot(bytes.size()));
  std::memcpy(lease.slot().bytes().data(), bytes.data(), bytes.size());
  HOLO_TRY(lease.slot().Seal());
  return lease;
}

}  // namespace holostat::server
