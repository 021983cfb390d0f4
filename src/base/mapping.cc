#include "base/mapping.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace holostat {

Result<Mapping> Mapping::OfFile(int fd, std::size_t bytes, Access access) {
  if (bytes == 0) return Mapping();
  const int protection = access == Access::kReadWrite ? PROT_READ | PROT_WRITE : PROT_READ;
  // Linux before 6.7 takes a shared mapping of a descriptor that could write for a writable one and
  // refuses it of a sealed file. A private one that is only read has the same pages.
  const int sharing = access == Access::kReadUnchanging ? MAP_PRIVATE : MAP_SHARED;
  void* start = ::mmap(nullptr, bytes, protection, sharing, fd, 0);
  if (start == MAP_FAILED) {
    return Fail(errno == ENOMEM ? ErrorCode::kOverloaded : ErrorCode::kUnavailable,
                fmt::format("cannot map {} bytes: {}", bytes, std::strerror(errno)));
  }
  return Mapping(std::span(static_cast<std::byte*>(start), bytes));
}

void Mapping::Unmap() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace holostat
