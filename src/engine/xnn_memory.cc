#include "engine/xnn_memory.h"

#include <sys/mman.h>
#include <unistd.h>
#include <xnnpack.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace holostat::engine {
namespace {

// Smaller blocks (operators, biases) stay on the heap: each would cost part of a page.
constexpr std::size_t kLarge = std::size_t{64} << 10;

// The only way to tell XNNPACK's calls apart, which come without a context of ours.
constinit thread_local XnnMemory* current = nullptr;

void* HeapAligned(std::size_t alignment, std::size_t bytes) {
  void* block = nullptr;
  return ::posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}

// No exception may pass through XNNPACK, which is C: it takes null for short memory.
template <class F>
void* OrNull(F&& allocate) noexcept {
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* OnAllocate(void*, std::size_t bytes) {
  return OrNull([&] { return current ? current->Allocate(bytes) : std::malloc(bytes); });
}

void* OnReallocate(void*, void* block, std::size_t bytes) {
  return OrNull(
      [&] { return current ? current->Reallocate(block, bytes) : std::realloc(block, bytes); });
}

void* OnAllocateAligned(void*, std::size_t alignment, std::size_t bytes) {
  return OrNull([&] {
    return current ? current->AllocateAligned(alignment, bytes) : HeapAligned(alignment, bytes);
  });
}

void OnDeallocate(void*, void* block) {
  if (current == nullptr || !current->Owns(block)) std::free(block);
}

constexpr xnn_allocator kAllocator = {.context = nullptr,
                                      .allocate = &OnAllocate,
                                      .reallocate = &OnReallocate,
                                      .deallocate = &OnDeallocate,
                                      .aligned_allocate = &OnAllocateAligned,
                                      .aligned_deallocate = &OnDeallocate};

// Whether any whole page of `bytes` was touched since it was mapped; false also for less than one.
bool IsTouched(std::span<const std::byte> bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::size_t skipped = (page - start % page) % page;
  if (bytes.size() < skipped + page) return false;
  std::vector<unsigned char> residency((bytes.size() - skipped) / page);
  // It takes its pages as not const, and changes nothing.
  auto* first = const_cast<std::byte*>(bytes.data()) + skipped;
  if (::mincore(first, residency.size() * page, residency.data()) != 0) return true;
  return std::ranges::any_of(residency, [](unsigned char r) { return (r & 1) != 0; });
}

}  // namespace

const xnn_allocator& XnnAllocator() { return kAllocator; }

XnnMemory::Use::Use(XnnMemory* memory) : previous_(current) { current = memory; }
XnnMemory::Use::~Use() { current = previous_; }

void* XnnMemory::Allocate(std::size_t bytes) {
  is_plain_since_aligned_ = true;
  return std::malloc(bytes);
}

// An operator is an aligned block, and so are its packed weights; between the last of them and the
// workspace, XNNPACK allocates what it plans the workspace with, which is not aligned.
void* XnnMemory::AllocateAligned(std::size_t alignment, std::size_t bytes) {
  const bool is_workspace = has_aligned_ && is_plain_since_aligned_ && workspace_ == nullptr;
  has_aligned_ = true;
  is_plain_since_aligned_ = false;
  if (is_workspace) return LendWorkspace(bytes);
  if (workspace_ != nullptr) ++aligned_since_workspace_;
  if (bytes < kLarge) return HeapAligned(alignment, bytes);
  std::byte* block = constants_.Allocate(bytes);
  if (block != nullptr) aligned_constants_.emplace_back(block, bytes);
  return block;
}

void* XnnMemory::LendWorkspace(std::size_t bytes) {
  workspace_bytes_ = bytes;
  if (shared_ != nullptr) workspace_ = shared_->LendToRuntime(bytes);
  if (workspace_ == nullptr) {
    auto own = Mapping::Anonymous(bytes, Mapping::Access::kReadWrite, "holostat-workspace");
    if (!own) return nullptr;
    own_workspace_ = std::move(*own);
    workspace_ = own_workspace_.bytes().data();
  }
  return workspace_;
}

// Tables of pointers to what a convolution reads: they grow from nothing, once.
void* XnnMemory::Reallocate(void* block, std::size_t bytes) {
  const std::size_t readable = constants_.BytesUpToEnd(block);
  if (readable == 0 && (block != nullptr || bytes < kLarge)) return std::realloc(block, bytes);
  std::byte* grown = constants_.Allocate(bytes);
  // How long the old block is nobody noted; what stands behind it does no harm.
  if (grown != nullptr && block != nullptr) std::memcpy(grown, block, std::min(bytes, readable));
  return grown;
}

bool XnnMemory::Owns(const void* block) const {
  return block != nullptr && (block == workspace_ || constants_.Contains(block));
}

bool XnnMemory::IsRight() const {
  if (aligned_since_workspace_ != 0) return false;
  if (workspace_ != nullptr && IsTouched({workspace_, workspace_bytes_})) return false;
  // Weights are written at once. What is not may be the workspace.
  return std::ranges::all_of(aligned_constants_, &IsTouched);
}

}  // namespace holostat::engine
