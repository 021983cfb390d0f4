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
    kNone,
  };

  Mapping() = default;
  // Zeroed pages of this process alone, copied on write by fork. Those of Access::kNone only take
  // address space until Protect opens them. `name` shows in /proc/PID/smaps as [anon:name] where
  // the kernel can do that, and is nothing but help for who reads there. Errors: kOverloaded.
  static Result<Mapping> Anonymous(std::size_t bytes, Access access, const char* name);
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

  // Changes what may be done with the first `bytes`, rounded up to pages. Errors: kOverloaded, when
  // the system gives no memory for it; what may be done is as before then.
  Result<void> Protect(std::size_t bytes, Access access);
  // Takes now the pages that writing to the first `bytes` would take one by one, each with a fault
  // that costs more than the page. REQUIRES: kReadWrite. Best effort: Linux 5.14, enough memory.
  void Populate(std::size_t bytes);
  // Gives back all whole pages behind the first `bytes`. REQUIRES: bytes <= size().
  void Shrink(std::size_t bytes);

 private:
  explicit Mapping(std::span<std::byte> bytes) : bytes_(bytes) {}
  void Unmap();

  std::span<std::byte> bytes_;
};

}  // namespace holostat
