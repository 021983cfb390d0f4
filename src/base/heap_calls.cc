#include "base/heap_calls.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <limits>
#include <string_view>

namespace holostat {
namespace {

// Only ever compared with itself before and after a piece of work, so no ordering is needed.
constinit std::atomic<std::uint64_t> heap_calls{0};

void Count() { heap_calls.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

std::uint64_t HeapCalls() { return heap_calls.load(std::memory_order_relaxed); }

}  // namespace holostat

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOLO_SANITIZER_OWNS_MALLOC
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOLO_SANITIZER_OWNS_MALLOC
#endif

#define HOLO_INTERPOSE __attribute__((visibility("default")))

#if defined(HOLO_SANITIZER_OWNS_MALLOC)

// A sanitizer owns malloc; it reports calls instead.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));

namespace {
[[maybe_unused]] const int kHooksInstalled = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { holostat::Count(); },
    [](const volatile void*) { holostat::Count(); });
}  // namespace

#elif defined(HOLOSTAT_JEMALLOC)

// jemalloc under the names that cmake/FindJemalloc.cmake gives it. All functions that allocate, and
// malloc_usable_size, are here: one of glibc's in between would hand out a block that jemalloc is
// then asked to free.
extern "C" {
void* je_malloc(std::size_t);
void* je_calloc(std::size_t, std::size_t);
void* je_realloc(void*, std::size_t);
void* je_memalign(std::size_t, std::size_t);
void* je_aligned_alloc(std::size_t, std::size_t);
int je_posix_memalign(void**, std::size_t, std::size_t);
void* je_valloc(std::size_t);
std::size_t je_malloc_usable_size(void*);
void je_free(void*);

// Read by jemalloc when it starts; $MALLOC_CONF comes after it. docs/heap-profiles.md has the
// reasons and the measurements.
extern const char* malloc_conf;
HOLO_INTERPOSE const char* malloc_conf =
    "narenas:1,dirty_decay_ms:1000,muzzy_decay_ms:0,"
    "prof:true,prof_active:false,lg_prof_sample:16";

// Not each of jemalloc's functions says why it refuses, but all have one reason.
static void* OrOutOfMemory(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

HOLO_INTERPOSE void* malloc(std::size_t size) {
  holostat::Count();
  return je_malloc(size);
}
HOLO_INTERPOSE void* calloc(std::size_t count, std::size_t size) {
  holostat::Count();
  return je_calloc(count, size);
}
HOLO_INTERPOSE void* realloc(void* block, std::size_t size) {
  holostat::Count();
  void* moved = je_realloc(block, size);
  return size == 0 ? moved : OrOutOfMemory(moved);  // of no bytes: freed
}
HOLO_INTERPOSE void* memalign(std::size_t alignment, std::size_t size) {
  holostat::Count();
  // glibc rounds up what is no power of two, and callers have come to rely on it.
  constexpr std::size_t kLargest = std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 1);
  if (alignment > kLargest) {
    errno = EINVAL;
    return nullptr;
  }
  return OrOutOfMemory(je_memalign(std::bit_ceil(alignment), size));
}
HOLO_INTERPOSE void* aligned_alloc(std::size_t alignment, std::size_t size) {
  holostat::Count();
  return je_aligned_alloc(alignment, size);
}
HOLO_INTERPOSE int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  holostat::Count();
  return je_posix_memalign(out, alignment, size);
}
HOLO_INTERPOSE void* valloc(std::size_t size) {
  holostat::Count();
  return OrOutOfMemory(je_valloc(size));
}
HOLO_INTERPOSE void* pvalloc(std::size_t size) {
  holostat::Count();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t rounded = (size + page - 1) & ~(page - 1);
  if (rounded < size) {
    errno = ENOMEM;
    return nullptr;
  }
  return OrOutOfMemory(je_memalign(page, rounded == 0 ? page : rounded));
}
HOLO_INTERPOSE std::size_t malloc_usable_size(void* block) { return je_malloc_usable_size(block); }
HOLO_INTERPOSE void free(void* block) {
  if (block == nullptr) return;
  holostat::Count();
  const int saved = errno;  // free leaves errno alone (POSIX.1-2024); jemalloc's madvise may not
  je_free(block);
  errno = saved;
}

// Stands in for creat where jemalloc opens the file of a profile. "/proc/self/fd/N" is answered
// with a copy of N: a sandboxed worker can open nothing, and a socket cannot be opened by name.
int holostat_open_heap_dump(const char* path, mode_t mode) {
  constexpr std::string_view kPrefix = "/proc/self/fd/";
  const std::string_view name(path);
  int fd = -1;
  if (!name.starts_with(kPrefix)) return ::open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  const auto parsed = std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), fd);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return -1;
  return ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
}
}

#else

// glibc keeps its allocator reachable under these names for exactly this purpose.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

HOLO_INTERPOSE void* malloc(std::size_t size) {
  holostat::Count();
  return __libc_malloc(size);
}
HOLO_INTERPOSE void* calloc(std::size_t count, std::size_t size) {
  holostat::Count();
  return __libc_calloc(count, size);
}
HOLO_INTERPOSE void* realloc(void* block, std::size_t size) {
  holostat::Count();
  return __libc_realloc(block, size);
}
HOLO_INTERPOSE void* memalign(std::size_t alignment, std::size_t size) {
  holostat::Count();
  return __libc_memalign(alignment, size);
}
HOLO_INTERPOSE void* aligned_alloc(std::size_t alignment, std::size_t size) {
  holostat::Count();
  return __libc_memalign(alignment, size);
}
HOLO_INTERPOSE int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  holostat::Count();
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return EINVAL;
  void* block = __libc_memalign(alignment, size);
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}
HOLO_INTERPOSE void free(void* block) {
  if (block != nullptr) holostat::Count();
  __libc_free(block);
}
}

#endif
