#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "base/result.h"

namespace holostat {

// Owns a mapping of memory and unmaps it. A moved-from mapping is empty.
class Mapping {
 public:
  enum class Access {
    kRead = 1,
    kReadWrite,
    kReadUnchanging,  // a file that nobody can change, such as a memfd sealed against writing
  };

  Mapping() = default;
  // The first `bytes` of what `fd` names, its memory shared with whoever else maps it. Errors:
  // kOverloaded (no address space), kUnavailable (not mappable so).
  static Result<Mapping> OfFile(int fd, std::size_t bytes, Access access);

  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    if (this != &other) {
      Unmap();
      bytes_ = std::exchange(other.bytes_, {});
    }
    return *this;
  }
  ~Mapping() { Unmap(); }

  std::span<std::byte> bytes() { return bytes_; }  // REQUIRES: kReadWrite to write
  std::span<const std::byte> bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  explicit Mapping(std::span<std::byte> bytes) : bytes_(bytes) {}
  void Unmap();

  std::span<std::byte> bytes_;
};

}  // namespace holostat
