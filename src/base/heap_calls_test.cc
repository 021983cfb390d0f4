#include "base/heap_calls.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string>

#include "base/heap_control.h"

namespace holostat {
namespace {

constexpr std::size_t kTooMuch = std::numeric_limits<std::size_t>::max() / 2;

// Out of sight of the optimiser, which knows what malloc is and leaves calls out.
template <class T>
T Opaque(T value) {
  volatile T kept = value;
  return kept;
}

bool IsAligned(const void* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

TEST(HeapCalls, CountsEachCallOnce) {
  const auto before = HeapCalls();
  void* volatile a = std::malloc(10);
  void* volatile b = std::calloc(2, 8);
  void* volatile c = std::aligned_alloc(64, 128);
  int* volatile d = new int(1);
  std::free(a);
  std::free(b);
  std::free(c);
  delete d;
  EXPECT_EQ(HeapCalls() - before, 8u);
}

TEST(HeapCalls, CountsEveryKindOfNew) {
  constexpr auto kAlign = std::align_val_t{256};
  const auto before = HeapCalls();
  void* volatile a = ::operator new(10);
  void* volatile b = ::operator new[](10, std::nothrow);
  void* volatile c = ::operator new(10, kAlign);
  void* volatile d = ::operator new[](10, kAlign, std::nothrow);
  EXPECT_TRUE(IsAligned(c, 256) && IsAligned(d, 256));
  ::operator delete (a, std::size_t{10});
  ::operator delete[](b);
  ::operator delete (c, std::size_t{10}, kAlign);
  ::operator delete[](d, kAlign);
  EXPECT_EQ(HeapCalls() - before, 8u);
}

TEST(HeapCalls, ArithmeticMakesNone) {
  const auto before = HeapCalls();
  volatile int sum = 0;
  for (int i = 0; i < 1000; ++i) sum = sum + i;
  EXPECT_EQ(HeapCalls(), before);
}

TEST(HeapCalls, CountsThoseOfALibraryLoadedLater) {
  void* library = ::dlopen(HOLOSTAT_HEAP_CALLS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto call = reinterpret_cast<void (*)(std::size_t)>(::dlsym(library, "CallTheHeap"));
  ASSERT_NE(call, nullptr);
  const auto before = HeapCalls();
  call(100);
  EXPECT_EQ(HeapCalls() - before, 4u);
  ::dlclose(library);
}

// What glibc itself hands out must be a block of the same allocator that frees it.
TEST(HeapCalls, CountsThoseOfTheCLibrary) {
  const auto before = HeapCalls();
  char* copy = ::strdup(Opaque("a text"));
  void* array = ::reallocarray(nullptr, 10, 10);
  EXPECT_GE(HeapCalls() - before, 2u);
  EXPECT_GE(::malloc_usable_size(copy), 7u);
  EXPECT_GE(::malloc_usable_size(array), 100u);
  std::free(copy);
  std::free(array);
}

TEST(HeapCalls, AllKindsOfBlocksAreWholeAndFreedByFree) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* of_posix = nullptr;
  ASSERT_EQ(::posix_memalign(&of_posix, 128, 100), 0);
  struct Kind {
    void* block;
    std::size_t bytes, alignment;
  };
  const Kind kinds[] = {{std::malloc(100), 100, 16},
                        {std::calloc(10, 10), 100, 16},
                        {std::realloc(std::malloc(10), 100), 100, 16},
                        {std::aligned_alloc(4096, 8192), 8192, 4096},
                        {::memalign(64, 100), 100, 64},
                        {of_posix, 100, 128},
                        {::valloc(100), 100, page},
                        {::pvalloc(page + 1), 2 * page, page}};
  for (const Kind& kind : kinds) {
    ASSERT_NE(kind.block, nullptr);
    EXPECT_TRUE(IsAligned(kind.block, kind.alignment)) << kind.alignment;
    EXPECT_GE(::malloc_usable_size(kind.block), kind.bytes);
    std::memset(kind.block, 1, kind.bytes);
    std::free(kind.block);
  }
}

TEST(HeapCalls, ABlockOfNoBytesIsABlock) {
  void* const blocks[] = {std::malloc(Opaque(0)), std::calloc(Opaque(0), 8),
                          std::aligned_alloc(64, Opaque(0)), ::valloc(Opaque(0)),
                          ::pvalloc(Opaque(0))};
  for (void* block : blocks) {
    EXPECT_NE(block, nullptr);
    std::free(block);
  }
  EXPECT_EQ(::malloc_usable_size(nullptr), 0u);
  std::free(nullptr);
}

TEST(HeapCalls, CallocClearsWhatWasUsedBefore) {
  for (int round = 0; round < 10; ++round) {
    auto* block = static_cast<unsigned char*>(std::calloc(1000, 1));
    ASSERT_NE(block, nullptr);
    for (const unsigned char byte : std::span(block, 1000)) ASSERT_EQ(byte, 0);
    std::memset(block, 0xff, 1000);
    std::free(Opaque(block));
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // those end the program
TEST(HeapCalls, WhatDoesNotFitIsRefusedWithEnomem) {
  const auto refused = [](void* block) {
    const int error = errno;
    EXPECT_EQ(block, nullptr);
    EXPECT_EQ(error, ENOMEM);
    errno = 0;
  };
  errno = 0;
  refused(std::malloc(Opaque(kTooMuch)));
  refused(std::calloc(Opaque(kTooMuch), 8));
  refused(::valloc(Opaque(kTooMuch)));
  refused(::pvalloc(Opaque(std::numeric_limits<std::size_t>::max())));
  void* block = std::malloc(8);
  refused(std::realloc(Opaque(block), Opaque(kTooMuch)));
  std::free(block);
  void* untouched = this;
  EXPECT_EQ(::posix_memalign(&untouched, 64, Opaque(kTooMuch)), ENOMEM);
  EXPECT_EQ(::posix_memalign(&untouched, Opaque(std::size_t{24}), 8), EINVAL);
  EXPECT_EQ(::posix_memalign(&untouched, Opaque(std::size_t{2}), 8), EINVAL);
  EXPECT_EQ(untouched, this);
  EXPECT_EQ(::operator new(Opaque(kTooMuch), std::nothrow), nullptr);
  EXPECT_THROW(static_cast<void>(::operator new(Opaque(kTooMuch))), std::bad_alloc);
}

TEST(HeapCalls, MemalignRoundsUpAnAlignmentThatIsNoPowerOfTwo) {
  void* block = ::memalign(Opaque(std::size_t{48}), 100);
  EXPECT_TRUE(block != nullptr && IsAligned(block, 64));
  std::free(block);
}

TEST(HeapCalls, FreeLeavesErrnoAlone) {
  void* block = std::malloc(64u << 20);
  errno = E2BIG;
  std::free(block);
  EXPECT_EQ(errno, E2BIG);
}
#endif

}  // namespace
}  // namespace holostat
