#include "ipc/slot.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "ipc/memfd.h"

namespace holostat::ipc {
namespace {

constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
constexpr int kUnchanging = kFixedSize | F_SEAL_WRITE;

Result<Mapping> MapSealed(int fd, int seals, std::size_t bytes, Mapping::Access access) {
  const std::size_t size = HOLO_TRY(SealedSize(fd, seals));
  if (size != bytes) {
    return Fail(ErrorCode::kCorruptData,
                fmt::format("shared memory of {} bytes where {} were announced", size, bytes));
  }
  return Mapping::OfFile(fd, bytes, access);
}

}  // namespace

Result<Slot> Slot::Create(std::size_t bytes) {
  auto fd = HOLO_TRY(CreateMemfd("holostat-slot", bytes));
  auto mapping = HOLO_TRY(Mapping::OfFile(fd.get(), bytes, Mapping::Access::kReadWrite));
  return Slot(std::move(fd), std::move(mapping), bytes);
}

Result<void> Slot::Seal() {
  mapping_ = Mapping();  // the kernel refuses F_SEAL_WRITE while a writable mapping exists
  return AddSeals(fd_.get(), kUnchanging);
}

Result<Mapping> MapSealedSlot(int fd, std::size_t bytes) {
  return MapSealed(fd, kUnchanging, bytes, Mapping::Access::kReadUnchanging);
}

Result<AnswerArea> AnswerArea::Create(std::size_t bytes) {
  auto fd = HOLO_TRY(CreateMemfd("holostat-answer", bytes));
  HOLO_TRY(AddSeals(fd.get(), kFixedSize));
  auto mapping = HOLO_TRY(Mapping::OfFile(fd.get(), bytes, Mapping::Access::kRead));
  return AnswerArea(std::move(fd), std::move(mapping));
}

Result<void> AnswerArea::Trim(std::size_t keep_bytes) {
  const std::size_t size = mapping_.size();
  if (keep_bytes >= size) return {};
  // From the byte on: what shares the last page with the kept bytes becomes zeros.
  if (::fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(keep_bytes), static_cast<off_t>(size - keep_bytes)) == 0) {
    return {};
  }
  return Fail(ErrorCode::kInternal,
              fmt::format("cannot trim an answer area: {}", std::strerror(errno)));
}

Result<Mapping> MapAnswerArea(int fd, std::size_t bytes) {
  return MapSealed(fd, F_SEAL_SHRINK, bytes, Mapping::Access::kReadWrite);
}

}  // namespace holostat::ipc
