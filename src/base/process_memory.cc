#include "base/process_memory.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/line_reader.h"
#include "base/unique_fd.h"

namespace holostat {
namespace {

Result<UniqueFd> Open(const char* file) {
  UniqueFd fd(::open(file, O_RDONLY | O_CLOEXEC));
  if (fd) return fd;
  return Fail(ErrorCode::kUnavailable,
              std::string("cannot open ") + file + ": " + std::strerror(errno));
}

}  // namespace

std::optional<ProcessMemory> ReadSmapsRollup(int fd) {
  ProcessMemory memory;
  LineReader lines(fd);
  while (const auto line = lines.Next()) {
    if (const auto rss = KilobytesOf(*line, "Rss")) memory.rss_bytes = *rss;
    if (const auto pss = KilobytesOf(*line, "Pss")) memory.pss_bytes = *pss;
    for (const char* part : {"Private_Clean", "Private_Dirty", "Private_Hugetlb"}) {
      memory.uss_bytes += KilobytesOf(*line, part).value_or(0);
    }
  }
  errno = lines.error();
  return errno == 0 ? std::optional(memory) : std::nullopt;
}

Result<ProcessMemory> ReadProcessMemory() {
  const UniqueFd rollup = HOLO_TRY(Open("/proc/self/smaps_rollup"));
  const UniqueFd status = HOLO_TRY(Open("/proc/self/status"));
  std::optional<ProcessMemory> memory = ReadSmapsRollup(rollup.get());
  if (!memory) return Fail(ErrorCode::kUnavailable, "cannot read /proc/self/smaps_rollup");
  LineReader lines(status.get());
  while (const auto line = lines.Next()) {
    if (const auto peak = KilobytesOf(*line, "VmHWM")) memory->peak_rss_bytes = *peak;
  }
  return *memory;
}

}  // namespace holostat
