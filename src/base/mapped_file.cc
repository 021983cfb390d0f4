#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"

namespace holostat {
namespace {

ErrorCode OpenErrorCode(int error) {
  return error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
}

}  // namespace

Result<MappedFile> MappedFile::Open(const std::filesystem::path& path, std::uint64_t max_bytes) {
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
  if (size == 0) return MappedFile(nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot map {}: {}", path.string(), std::strerror(errno)));
  }
  return MappedFile(static_cast<const std::uint8_t*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

}  // namespace holostat
