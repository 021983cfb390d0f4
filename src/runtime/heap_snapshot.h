#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holostat::runtime {

// All that a report on a heap needs, when the process is gone as well.
struct HeapSnapshot {
  std::int64_t pid = 0;       // 0: unknown
  std::string process{};      // what it was, for a person: "worker 3"
  std::int64_t taken_ms = 0;  // since 1970; 0: unknown
  std::string maps{};         // the lines of /proc/PID/maps that name a file
  std::string profile{};      // of jemalloc, for ParseHeapProfile
};

// Puts together what DumpHeapSamples (base/heap_control.h) wrote in the process `pid`, which still
// runs, or which wrote its own mappings behind the samples (one in a sandbox cannot), and when it
// was taken: now. Errors: kUnavailable (no mappings to be had).
Result<HeapSnapshot> MakeHeapSnapshot(std::int64_t pid, std::string_view process,
                                      std::string_view dump);

// The file form, docs/heap-profiles.md: a header of lines, then both texts with their lengths.
std::string FormatHeapSnapshot(const HeapSnapshot& snapshot);

// The other way; strict. Takes a plain dump of jemalloc with its mappings, too. Does not look into
// the profile. Error: kCorruptData, kLimitExceeded (over 64 MB).
Result<HeapSnapshot> ParseHeapSnapshot(std::string_view text);

}  // namespace holostat::runtime
