#include "app/read_stdin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "app/interruption.h"

namespace holostat::app {
namespace {

// Room set aside for a picture from standard input, so that it need not move while it grows.
constexpr std::size_t kReservedBytes = std::size_t{32} << 20;

}  // namespace

Result<Image> ReadStdinPicture(const PictureLimits& limits) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(std::min(limits.max_bytes, kReservedBytes));  // untouched memory costs nothing
  std::array<std::uint8_t, 65536> chunk;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR && !interrupted) continue;
    if (count < 0) return Fail(ErrorCode::kUnavailable, std::strerror(errno));
    if (count == 0) return DecodePicture(bytes, limits);
    if (bytes.size() + static_cast<std::size_t>(count) > limits.max_bytes) {
      return Fail(ErrorCode::kLimitExceeded, fmt::format("more than {} bytes", limits.max_bytes));
    }
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + count);
  }
}

}  // namespace holostat::app
