#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/result.h"

namespace holostat::runtime {

// What a process holds at one moment, as /proc tells.
struct ProcessSample {
  std::uint64_t rss_bytes = 0;
  std::uint64_t pss_bytes = 0;
  std::uint64_t uss_bytes = 0;  // Private_Clean + Private_Dirty (+ hugetlb) of smaps_rollup
  std::uint32_t fds = 0;
  std::uint32_t threads = 0;
  std::uint32_t mappings = 0;  // 0 when not asked for
};

enum class SampleDetail {
  kMemory = 1,
  kMemoryAndMappings
};  // the latter reads all of /proc/PID/maps

// The parts are read one after the other while the process runs on. For this process itself the
// two fds that reading takes are not counted.
//
// Errors: kNotFound (no such process any more; also a zombie, which holds nothing), kUnavailable
// (/proc not mounted, or no right to read). No heap call when it succeeds: it runs each second for
// weeks. `proc` is where /proc is mounted: a test's own tree.
Result<ProcessSample> SampleProcess(pid_t pid, SampleDetail detail, const char* proc = "/proc");

}  // namespace holostat::runtime
