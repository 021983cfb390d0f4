#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace holostat {

// Owned bytes on a 64-byte boundary (a cache line, and the widest vector register), zeroed.
class AlignedBuffer {
 public:
  static constexpr std::size_t kAlignment = 64;

  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t bytes) : data_(Allocate(bytes)), size_(bytes) {}

  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  static std::unique_ptr<std::byte, Free> Allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* p = std::aligned_alloc(kAlignment, rounded);
    if (p == nullptr) throw std::bad_alloc();
    std::memset(p, 0, rounded);
    return std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(p));
  }

  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace holostat
