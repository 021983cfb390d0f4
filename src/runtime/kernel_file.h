#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/unique_fd.h"

namespace holostat::runtime {

// A small text file of /proc or /sys, kept open and read again and again without a heap call.
// Thread-compatible.
class KernelFile {
 public:
  KernelFile() = default;
  explicit KernelFile(const std::filesystem::path& path);  // not there: false
  explicit operator bool() const { return static_cast<bool>(fd_); }

  // The number that the file begins with; nothing if there is none ("max") or it cannot be read.
  std::optional<std::uint64_t> Number() const;
  // N of the line "name N".
  std::optional<std::uint64_t> Number(std::string_view name) const;
  // Of a file of /proc/pressure: N of "some avg10=N ...".
  std::optional<double> StallPercent() const;

 private:
  UniqueFd fd_;
};

}  // namespace holostat::runtime
