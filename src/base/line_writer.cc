#include "base/line_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace holostat {

// O_NONBLOCK belongs to the open file, which we share with the shell that started us and with our
// children: set there it would make their writes fail. A socket takes it by call, a pipe or
// terminal can be opened once more. A file never makes a writer wait for a reader.
LineWriter::LineWriter(int fd) : fd_(fd) {
  struct stat about {};
  if (::fstat(fd, &about) != 0 || S_ISREG(about.st_mode)) return;
  if (S_ISSOCK(about.st_mode)) {
    kind_ = Kind::kSocket;
    return;
  }
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  own_.reset(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  kind_ = own_ ? Kind::kReopened : Kind::kPolled;
}

void LineWriter::Write(std::string_view line) {
  if (!FinishRest()) {
    ++dropped_;
    return;
  }
  const std::int64_t taken = Offer(line);
  if (taken < 0) {
    ++dropped_;
  } else {
    rest_ = line.substr(static_cast<std::size_t>(taken));
  }
}

bool LineWriter::FinishRest() {
  if (rest_.empty()) return true;
  const std::int64_t taken = Offer(rest_);
  if (taken > 0) rest_.erase(0, static_cast<std::size_t>(taken));
  return rest_.empty();
}

std::int64_t LineWriter::Offer(std::string_view bytes) {
  switch (kind_) {
    case Kind::kSocket:
      return ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case Kind::kReopened:
      return ::write(own_.get(), bytes.data(), bytes.size());
    case Kind::kPolled: {
      // Not ours to open (another user's terminal): a pipe that is ready takes PIPE_BUF bytes.
      pollfd ready{fd_, POLLOUT, 0};
      if (::poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return -1;
      break;
    }
    case Kind::kFile:
      break;
  }
  return ::write(fd_, bytes.data(), bytes.size());
}

}  // namespace holostat
