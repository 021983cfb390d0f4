#include "runtime/process_meter.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/line_reader.h"
#include "base/process_memory.h"
#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

// One folder of /proc. Opened once: the files below it stay those of one process even if another
// one gets its pid meanwhile.
struct Process {
  pid_t pid = 0;
  const char* proc = nullptr;
  UniqueFd folder;
};

// From errno.
tl::unexpected<Error> Failed(const Process& process, const char* what) {
  const int error = errno;
  const auto self = fmt::format("{}/self", process.proc);
  if ((error == ENOENT || error == ESRCH) && ::access(self.c_str(), F_OK) == 0) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no process {}", process.pid));
  }
  return Fail(ErrorCode::kUnavailable, fmt::format("cannot read {} of process {}: {}", what,
                                                   process.pid, std::strerror(error)));
}

Result<Process> OpenProcess(pid_t pid, const char* proc) {
  std::array<char, 256> path;
  const auto written = fmt::format_to_n(path.data(), path.size() - 1, "{}/{}", proc, pid);
  *written.out = '\0';
  Process process{.pid = pid, .proc = proc, .folder = {}};
  errno = ENOENT;  // there is no process below 1
  if (pid > 0) process.folder.reset(::open(path.data(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!process.folder) return Failed(process, "the folder");
  return process;
}

Result<UniqueFd> OpenFile(const Process& process, const char* name, int flags = O_RDONLY) {
  UniqueFd fd(::openat(process.folder.get(), name, flags | O_CLOEXEC));
  if (!fd) return Failed(process, name);
  return fd;
}

// Entries of an open folder but for "." and ".."; nothing, with errno, when it cannot be read.
// opendir would allocate.
std::optional<std::uint32_t> CountEntries(int folder) {
  std::uint32_t count = 0;
  alignas(dirent64) std::array<char, 4096> buffer;
  while (true) {
    const ssize_t size = ::getdents64(folder, buffer.data(), buffer.size());
    if (size < 0) return std::nullopt;
    if (size == 0) return count;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      decltype(dirent64::d_reclen) step = 0;
      std::memcpy(&step, buffer.data() + at + offsetof(dirent64, d_reclen), sizeof(step));
      const std::string_view name = buffer.data() + at + offsetof(dirent64, d_name);
      if (name != "." && name != "..") ++count;
      at += step;
    }
  }
}

Result<std::uint32_t> CountFds(const Process& process) {
  const UniqueFd folder = HOLO_TRY(OpenFile(process, "fd", O_RDONLY | O_DIRECTORY));
  const auto count = CountEntries(folder.get());
  if (!count) return Failed(process, "fd");
  const std::uint32_t ours = process.pid == ::getpid() ? 2 : 0;  // process.folder and folder
  return *count - std::min(ours, *count);
}

Result<std::uint32_t> CountThreads(const Process& process) {
  static constexpr std::string_view kName = "Threads:\t";
  const UniqueFd file = HOLO_TRY(OpenFile(process, "status"));
  LineReader lines(file.get());
  std::uint32_t threads = 0;
  while (const auto line = lines.Next()) {
    if (!line->starts_with(kName)) continue;
    std::from_chars(line->data() + kName.size(), line->data() + line->size(), threads);
  }
  errno = lines.error();
  if (errno != 0) return Failed(process, "status");
  return threads;
}

Result<std::uint32_t> CountMappings(const Process& process) {
  const UniqueFd file = HOLO_TRY(OpenFile(process, "maps"));
  LineReader lines(file.get());
  std::uint32_t mappings = 0;
  while (lines.Next()) ++mappings;
  errno = lines.error();
  if (errno != 0) return Failed(process, "maps");
  return mappings;
}

Result<ProcessMemory> ReadMemory(const Process& process) {
  const UniqueFd file = HOLO_TRY(OpenFile(process, "smaps_rollup"));
  const auto memory = ReadSmapsRollup(file.get());
  if (!memory) return Failed(process, "smaps_rollup");
  return *memory;
}

}  // namespace

Result<ProcessSample> SampleProcess(pid_t pid, SampleDetail detail, const char* proc) {
  const Process process = HOLO_TRY(OpenProcess(pid, proc));
  const ProcessMemory memory = HOLO_TRY(ReadMemory(process));
  ProcessSample sample;
  sample.rss_bytes = memory.rss_bytes;
  sample.pss_bytes = memory.pss_bytes;
  sample.uss_bytes = memory.uss_bytes;
  sample.fds = HOLO_TRY(CountFds(process));
  sample.threads = HOLO_TRY(CountThreads(process));
  if (detail == SampleDetail::kMemoryAndMappings)
    sample.mappings = HOLO_TRY(CountMappings(process));
  return sample;
}

}  // namespace holostat::runtime
