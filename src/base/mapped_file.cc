#include "base/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/regular_file.h"

namespace holostat {
Result<MappedFile> MappedFile::Open(const std::filesystem::path& path, std::uint64_t max_bytes) {
  const RegularFile file = HOLO_TRY(OpenRegularFile(path, max_bytes));
  if (file.size == 0) return MappedFile(nullptr, 0);
  void* data = ::mmap(nullptr, file.size, PROT_READ, MAP_PRIVATE, file.fd.get(), 0);
  if (data == MAP_FAILED) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot map {}: {}", path.string(), std::strerror(errno)));
  }
  return MappedFile(static_cast<const std::uint8_t*>(data), file.size);
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
