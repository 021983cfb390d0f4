#include "base/line_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>

namespace holostat {

// A whole line of the buffer, or the start of one that does not fit.
std::optional<std::string_view> LineReader::TakeLine() {
  const std::string_view rest(buffer_ + begin_, end_ - begin_);
  const std::size_t size = rest.find('\n');
  if (size != std::string_view::npos) {
    begin_ += size + 1;
    return rest.substr(0, size);
  }
  if (rest.size() < sizeof(buffer_)) return std::nullopt;
  begin_ = end_;
  return rest;
}

// Reads on behind what is left in the buffer.
bool LineReader::Fill() {
  std::memmove(buffer_, buffer_ + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  ssize_t count = 0;
  do {
    count = ::pread(fd_, buffer_ + end_, sizeof(buffer_) - end_, offset_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) error_ = errno;
  if (count <= 0) return false;
  end_ += static_cast<std::size_t>(count);
  offset_ += count;
  return true;
}

std::optional<std::string_view> LineReader::Next() {
  while (true) {
    if (const auto line = TakeLine()) {
      const bool is_rest = skipping_;
      // A line that takes the buffer to its last byte has no end yet.
      skipping_ = line->data() + line->size() == buffer_ + sizeof(buffer_);
      if (!is_rest) return line;
    } else if (!Fill()) {
      break;
    }
  }
  const std::string_view last(buffer_ + begin_, end_ - begin_);
  begin_ = end_;
  return last.empty() || skipping_ || error_ != 0 ? std::nullopt : std::optional(last);
}

std::optional<std::uint64_t> KilobytesOf(std::string_view line, std::string_view name) {
  if (!line.starts_with(name) || !line.substr(name.size()).starts_with(':')) return std::nullopt;
  line.remove_prefix(name.size() + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  std::uint64_t kilobytes = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), kilobytes);
  if (error != std::errc() || kilobytes > std::numeric_limits<std::uint64_t>::max() / 1024) {
    return std::nullopt;
  }
  return kilobytes * 1024;
}

}  // namespace holostat
