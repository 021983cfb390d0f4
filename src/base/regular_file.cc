#include "base/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace holostat {
namespace {

ErrorCode OpenErrorCode(int error) {
  return error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
}

}  // namespace

Result<RegularFile> OpenRegularFile(const std::filesystem::path& path, std::uint64_t max_bytes) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer; it has no effect on regular files.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    return Fail(OpenErrorCode(errno),
                fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Fail(ErrorCode::kUnavailable, fmt::format("{} is not a regular file", path.string()));
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > max_bytes) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("{} has {} bytes, the limit is {}", path.string(), size, max_bytes));
  }
  return RegularFile{std::move(fd), size};
}

}  // namespace holostat
