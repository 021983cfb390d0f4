#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"

namespace holostat {

// A regular file mapped read-only; unmapped when it goes. Movable, not copyable.
//
// Only for files that nobody changes meanwhile: a mapping shows later writes, and touching a page
// that was cut off kills the process (SIGBUS). For files of strangers take ReadFile (read_file.h).
class MappedFile {
 public:
  // Errors: kNotFound, kUnavailable (cannot be opened, or no regular file),
  // kLimitExceeded (larger than `max_bytes`). An empty file maps to an empty span.
  static Result<MappedFile> Open(const std::filesystem::path& path, std::uint64_t max_bytes);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace holostat
