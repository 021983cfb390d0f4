#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat {

// A regular file open for reading, and the size that it had then.
struct RegularFile {
  UniqueFd fd;
  std::uint64_t size = 0;  // bytes
};

// Never waits, on a FIFO without a writer neither. Errors: kNotFound, kUnavailable (cannot be
// opened, or no regular file), kLimitExceeded (larger than `max_bytes`).
Result<RegularFile> OpenRegularFile(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace holostat
