#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"

namespace holostat {

// Memory of this process, in bytes, as /proc/self/smaps_rollup and status say.
struct ProcessMemory {
  std::uint64_t rss_bytes = 0;       // resident
  std::uint64_t pss_bytes = 0;       // resident, shared pages divided by their users
  std::uint64_t uss_bytes = 0;       // resident and private: what ends with the process
  std::uint64_t peak_rss_bytes = 0;  // the most that was ever resident
};

// Errors: kUnavailable where /proc is not mounted.
Result<ProcessMemory> ReadProcessMemory();

// The first three of any process: those of its smaps_rollup, open at `fd`. Nothing when it cannot
// be read; errno says why. No heap call.
std::optional<ProcessMemory> ReadSmapsRollup(int fd);

}  // namespace holostat
