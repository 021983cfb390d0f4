#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace holostat {

// The lines of a file of /proc or /sys, through a buffer of its own: no heap call, so that meters
// can read each second for weeks. Reads with pread from the start, so that a file may be kept open
// and read again. Thread-compatible.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}  // not owned; open while this is used

  // The next line without its end; valid until the next call. Of a line longer than 4096 bytes the
  // first 4096. Nothing at the end of the file, or when it cannot be read.
  std::optional<std::string_view> Next();

  // errno of the read that failed; 0 so far, and at the end of the file.
  int error() const { return error_; }

 private:
  std::optional<std::string_view> TakeLine();
  bool Fill();

  int fd_;
  off_t offset_ = 0;
  int error_ = 0;
  bool skipping_ = false;  // the rest of a line that was too long
  std::size_t begin_ = 0, end_ = 0;
  char buffer_[4096];
};

// The number N, in bytes, of a line "Name:   N kB"; nothing if the line has another name or no
// number.
std::optional<std::uint64_t> KilobytesOf(std::string_view line, std::string_view name);

}  // namespace holostat
