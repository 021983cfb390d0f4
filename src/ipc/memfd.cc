#include "ipc/memfd.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace holostat::ipc {
namespace {

constexpr unsigned kNoExecSeal = 0x0008;  // MFD_NOEXEC_SEAL: Linux 6.3, not in Debian 12's headers

int Open(const char* name) {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create(name, kFlags | kNoExecSeal);
  return fd < 0 && errno == EINVAL ? ::memfd_create(name, kFlags) : fd;
}

}  // namespace

Result<UniqueFd> CreateMemfd(const char* name, std::size_t bytes) {
  UniqueFd fd(Open(name));
  if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("no {} bytes of shared memory: {}", bytes, std::strerror(errno)));
  }
  return fd;
}

Result<void> AddSeals(int fd, int seals) {
  if (::fcntl(fd, F_ADD_SEALS, seals) == 0) return {};
  return Fail(ErrorCode::kInternal,
              fmt::format("cannot seal shared memory: {}", std::strerror(errno)));
}

Result<std::size_t> SealedSize(int fd, int seals) {
  // In this order: of a sealed one, what fstat says stays true.
  const int found = ::fcntl(fd, F_GET_SEALS);
  struct stat info {};
  if (found < 0 || (found & seals) != seals || ::fstat(fd, &info) != 0)
    return Fail(ErrorCode::kCorruptData, "not shared memory that is sealed as it must be");
  return static_cast<std::size_t>(info.st_size);
}

}  // namespace holostat::ipc
