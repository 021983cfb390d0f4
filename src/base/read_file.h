#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/regular_file.h"
#include "base/result.h"

namespace holostat {

// The contents of a regular file, as a copy: unlike a mapping it neither changes nor goes away
// when somebody writes to the file or truncates it. Never waits, on a FIFO without a writer
// neither.
//
// At most as many bytes as the file had when it was opened: what is appended meanwhile is not read,
// and a file that is cut meanwhile gives what was left of it.
//
// Errors: kNotFound, kUnavailable (cannot be opened or read, or no regular file), kLimitExceeded
// (larger than `max_bytes`), kOverloaded (no memory). Throws nothing.
Result<std::vector<std::uint8_t>> ReadFile(const std::filesystem::path& path,
                                           std::uint64_t max_bytes);

// The second half of ReadFile. `path` is only for messages.
Result<std::vector<std::uint8_t>> ReadOpenFile(const RegularFile& file,
                                               const std::filesystem::path& path);

}  // namespace holostat
