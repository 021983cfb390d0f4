#include "base/heap_calls.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

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

#ifdef HOLO_SANITIZER_OWNS_MALLOC

// A sanitizer owns malloc; it reports calls instead.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));

namespace {
[[maybe_unused]] const int kHooksInstalled = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { holostat::Count(); },
    [](const volatile void*) { holostat::Count(); });
}  // namespace

#else

// glibc keeps its allocator reachable under these names for exactly this purpose.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

#define HOLO_INTERPOSE __attribute__((visibility("default")))

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
