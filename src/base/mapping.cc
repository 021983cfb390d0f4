#include "base/mapping.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/check.h"

namespace holostat {
namespace {

// Of <linux/prctl.h>, which not every C library's headers know.
constexpr int kSetVma = 0x53564d41, kSetVmaAnonymousName = 0;
// Of <linux/mman.h>, likewise.
constexpr int kPopulateWrite = 23;

int Protection(Mapping::Access access) {
  switch (access) {
    case Mapping::Access::kNone:
      return PROT_NONE;
    case Mapping::Access::kRead:
    case Mapping::Access::kReadUnchanging:
      return PROT_READ;
    case Mapping::Access::kReadWrite:
      break;
  }
  return PROT_READ | PROT_WRITE;
}

std::size_t RoundUpToPages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

Result<Mapping> Mapping::Anonymous(std::size_t bytes, Access access, const char* name) {
  if (bytes == 0) return Mapping();
  void* start = ::mmap(nullptr, bytes, Protection(access),
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("cannot map {} bytes: {}", bytes, std::strerror(errno)));
  }
  // Fails where the kernel is built without such names.
  static_cast<void>(::prctl(kSetVma, kSetVmaAnonymousName, start, RoundUpToPages(bytes), name));
  return Mapping(std::span(static_cast<std::byte*>(start), bytes));
}

Result<Mapping> Mapping::OfFile(int fd, std::size_t bytes, Access access) {
  if (bytes == 0) return Mapping();
  // Linux before 6.7 takes a shared mapping of a descriptor that could write for a writable one and
  // refuses it of a sealed file. A private one that is only read has the same pages.
  const int sharing = access == Access::kReadUnchanging ? MAP_PRIVATE : MAP_SHARED;
  void* start = ::mmap(nullptr, bytes, Protection(access), sharing, fd, 0);
  if (start == MAP_FAILED) {
    return Fail(errno == ENOMEM ? ErrorCode::kOverloaded : ErrorCode::kUnavailable,
                fmt::format("cannot map {} bytes: {}", bytes, std::strerror(errno)));
  }
  return Mapping(std::span(static_cast<std::byte*>(start), bytes));
}

Result<void> Mapping::Protect(std::size_t bytes, Access access) {
  HOLO_CHECK(bytes <= size());
  if (bytes == 0 || ::mprotect(bytes_.data(), bytes, Protection(access)) == 0) return {};
  return Fail(ErrorCode::kOverloaded,
              fmt::format("cannot protect {} bytes: {}", bytes, std::strerror(errno)));
}

void Mapping::Populate(std::size_t bytes) {
  HOLO_CHECK(bytes <= size());
  if (bytes > 0) static_cast<void>(::madvise(bytes_.data(), bytes, kPopulateWrite));
}

void Mapping::Shrink(std::size_t bytes) {
  HOLO_CHECK(bytes <= size());
  const std::size_t kept = RoundUpToPages(bytes);
  if (kept < RoundUpToPages(size())) ::munmap(bytes_.data() + kept, size() - kept);
  bytes_ = bytes_.first(bytes);
}

void Mapping::Unmap() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace holostat
