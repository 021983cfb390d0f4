#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace holostat {

// Writes lines to a descriptor that others share, a log on stderr, and never waits: a line that a
// full pipe, terminal or socket does not take now is dropped and counted. A line that a socket took
// in part is finished before the next. Bound to one thread.
class LineWriter {
 public:
  // Does not own `fd`, which stays open while this lives. Whoever writes to pipes ignores SIGPIPE.
  explicit LineWriter(int fd);
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // `line` has its end, and at most 4096 bytes (PIPE_BUF): a pipe then takes all of it or nothing.
  void Write(std::string_view line);

  std::uint64_t dropped() const { return dropped_; }

 private:
  enum class Kind { kFile, kSocket, kReopened, kPolled };

  bool FinishRest();
  // How many bytes were taken; negative: none now.
  std::int64_t Offer(std::string_view bytes);

  int fd_;
  UniqueFd own_;  // the same pipe or terminal, opened anew so that not waiting concerns us alone
  Kind kind_ = Kind::kFile;
  std::string rest_;
  std::uint64_t dropped_ = 0;
};

}  // namespace holostat
