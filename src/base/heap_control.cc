#include "base/heap_control.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

// Null unless the process has jemalloc (heap_calls.cc brings it into the program). Declared here,
// not by jemalloc's header, so that the reference is weak.
extern "C" __attribute__((weak)) int mallctl(const char* name, void* old_value,
                                             std::size_t* old_size, void* new_value,
                                             std::size_t new_size);

namespace holostat {
namespace {

bool HasJemalloc() { return &mallctl != nullptr; }

template <class T>
bool Read(const char* name, T& value) {
  std::size_t size = sizeof(value);
  return HasJemalloc() && mallctl(name, &value, &size, nullptr, 0) == 0;
}

template <class T>
int Write(const char* name, T value) {
  return mallctl(name, nullptr, nullptr, &value, sizeof(value));
}

Result<void> NeedProfiler() {
  bool profiles = false;
  if (Read("opt.prof", profiles) && profiles) return {};
  return Fail(ErrorCode::kUnsupported,
              "this process cannot sample its heap: its allocator is not jemalloc with profiling");
}

// A thread draws how many bytes it may allocate until its next sample when it has taken one (and,
// while sampling is off, when it would have): without this, the first sample would come as late as
// the rate that was set before says. 16 times its mean: later only once in e^16.
void DrawNextSampleAnew(std::size_t old_log2) {
  constexpr std::size_t kBlockLog2 = 20;  // never touched, so it costs address space at most
  const std::size_t block = std::size_t{1} << std::min(old_log2, kBlockLog2);
  for (std::size_t left = std::size_t{16} << old_log2; left >= block; left -= block) {
    void* volatile unused = std::malloc(block);
    std::free(unused);
  }
}

Result<void> Switch(bool on) {
  if (const int error = Write("prof.active", on); error != 0)
    return Fail(ErrorCode::kInternal,
                fmt::format("cannot switch heap sampling: {}", std::strerror(error)));
  return {};
}

}  // namespace

void ReleaseFreeHeap() {
  if (!HasJemalloc()) {
    ::malloc_trim(0);
    return;
  }
  // MALLCTL_ARENAS_ALL is 4096. Neither can fail in a way that somebody could act on.
  mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
  mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
}

std::uint64_t HeapInUseBytes() {
  if (!HasJemalloc()) {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  }
  // Statistics stand still until the epoch is advanced.
  Write<std::uint64_t>("epoch", 1);
  std::size_t bytes = 0;
  return Read("stats.allocated", bytes) ? bytes : 0;
}

Result<void> StartHeapSampling(unsigned sample_log2) {
  if (sample_log2 < 10 || sample_log2 > 30)
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a heap sample each 2^{} bytes: the exponent must be 10 to 30", sample_log2));
  HOLO_TRY(NeedProfiler());
  HOLO_TRY(Switch(false));
  std::size_t old_log2 = 0;
  Read("prof.lg_sample", old_log2);
  if (const int error = Write<std::size_t>("prof.reset", sample_log2); error != 0)
    return Fail(ErrorCode::kInternal,
                fmt::format("cannot reset heap sampling: {}", std::strerror(error)));
  DrawNextSampleAnew(old_log2);
  return Switch(true);
}

Result<void> StopHeapSampling() {
  HOLO_TRY(NeedProfiler());
  return Switch(false);
}

Result<void> DumpHeapSamples(int fd) {
  HOLO_TRY(NeedProfiler());
  const std::string name = fmt::format("/proc/self/fd/{}", fd);
  if (const int error = Write("prof.dump", name.c_str()); error != 0)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot write the heap samples: {}", std::strerror(error)));
  return {};
}

}  // namespace holostat
