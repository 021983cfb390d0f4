#include "vision/failing_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constinit std::atomic<std::uint64_t> calls{0};
constinit std::atomic<std::uint64_t> failing_call{0};  // 0: none; the first call is 1

void* New(std::size_t size) noexcept {
  if (++calls == failing_call) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

void* NewOrThrow(std::size_t size) {
  if (void* block = New(size)) return block;
  throw std::bad_alloc();
}

}  // namespace

namespace holostat::vision {

std::uint64_t NewCalls() { return calls; }
void FailNewAfter(std::uint64_t count) { failing_call = calls + count + 1; }

}  // namespace holostat::vision

// All that can meet each other, or the address sanitizer sees pairs that do not match.
void* operator new(std::size_t size) { return NewOrThrow(size); }
void* operator new[](std::size_t size) { return NewOrThrow(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return New(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return New(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
