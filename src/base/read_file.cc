#include "base/read_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

namespace holostat {
namespace {

using Bytes = std::vector<std::uint8_t>;

Result<Bytes> Allocate(std::uint64_t size, const std::filesystem::path& path) {
  // Beyond it a vector does not say bad_alloc but length_error.
  constexpr std::uint64_t kMost = std::numeric_limits<std::ptrdiff_t>::max();
  try {
    if (size <= kMost) return Bytes(static_cast<std::size_t>(size));
  } catch (const std::bad_alloc&) {
  }
  return Fail(
      ErrorCode::kOverloaded,
      fmt::format("there is not enough memory for the {} bytes of {}", size, path.string()));
}

}  // namespace

Result<Bytes> ReadOpenFile(const RegularFile& file, const std::filesystem::path& path) {
  Bytes bytes = HOLO_TRY(Allocate(file.size, path));
  std::size_t count = 0;
  while (count < bytes.size()) {
    const ssize_t got = ::read(file.fd.get(), bytes.data() + count, bytes.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
    }
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  bytes.resize(count);
  return bytes;
}

Result<Bytes> ReadFile(const std::filesystem::path& path, std::uint64_t max_bytes) {
  return ReadOpenFile(HOLO_TRY(OpenRegularFile(path, max_bytes)), path);
}

}  // namespace holostat
