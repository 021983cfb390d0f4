#include "base/process_memory.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace holostat {
namespace {

// The lines of a /proc file read "Name:   123 kB". Adds the value of each line whose name starts
// with `prefix`.
Result<std::uint64_t> SumKilobyteLines(const char* file, std::string_view prefix) {
  std::ifstream in(file);
  if (!in) return Fail(ErrorCode::kUnavailable, std::string("cannot read ") + file);
  std::uint64_t bytes = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(prefix)) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    bytes += std::strtoull(line.c_str() + colon + 1, nullptr, 10) * 1024;
  }
  return bytes;
}

}  // namespace

Result<ProcessMemory> ReadProcessMemory() {
  static constexpr char kRollup[] = "/proc/self/smaps_rollup";
  ProcessMemory memory;
  memory.rss_bytes = HOLO_TRY(SumKilobyteLines(kRollup, "Rss:"));
  memory.pss_bytes = HOLO_TRY(SumKilobyteLines(kRollup, "Pss:"));
  memory.uss_bytes = HOLO_TRY(SumKilobyteLines(kRollup, "Private_"));
  memory.peak_rss_bytes = HOLO_TRY(SumKilobyteLines("/proc/self/status", "VmHWM:"));
  return memory;
}

}  // namespace holostat
