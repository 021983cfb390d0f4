#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "base/unique_fd.h"
#include "runtime/control_protocol.h"
#include "runtime/control_server.h"

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

tl::unexpected<Error> NoDoor(int pid) {
  return Fail(ErrorCode::kNotFound,
              fmt::format("process {} does not run, or is no holostat service", pid));
}

tl::unexpected<Error> TooLate(int pid) {
  return Fail(ErrorCode::kTimeout, fmt::format("process {} does not answer", pid));
}

// Anyone may take a name before the process that it is meant for.
bool IsListenedToBy(int pid, int fd) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
  return peer.pid == pid || peer.pid == 0;  // 0: in a pid namespace that we do not see into
}

Result<UniqueFd> Connect(int pid, milliseconds timeout) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) {
    return Fail(ErrorCode::kUnavailable, fmt::format("no socket: {}", std::strerror(errno)));
  }
  // connect blocks while the door's queue is full, as long as a send would.
  const timeval limit{.tv_sec = timeout.count() / 1000,
                      .tv_usec = timeout.count() % 1000 * 1000 + 1};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  const ControlAddress door = ControlAddressOf(pid);
  int failed = 0;
  do {
    failed = ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&door.address), door.length);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0 && errno == EAGAIN) return TooLate(pid);
  if (failed != 0 || !IsListenedToBy(pid, fd.get())) return NoDoor(pid);
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
  return fd;
}

// A line fits into any socket's buffer, so one call sends it. It fails when the server has refused
// us already; why is still there to be read.
void SendLine(int fd, std::string_view request) {
  const std::string line = fmt::format("{}\n", request);
  [[maybe_unused]] const auto ignored = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL);
}

class Answer {
 public:
  explicit Answer(int pid) : pid_(pid) {}

  // Whether it is complete.
  Result<bool> Add(std::string_view bytes) {
    received_.append(bytes);
    if (!head_) {
      const auto end = std::string_view(received_).substr(0, kMaxControlHeadBytes).find('\n');
      if (end == std::string::npos) {
        if (received_.size() < kMaxControlHeadBytes) return false;
        return Fail(ErrorCode::kCorruptData, fmt::format("process {}: not an answer", pid_));
      }
      head_ = HOLO_TRY_CONTEXT(ParseControlHead(std::string_view(received_).substr(0, end)),
                               fmt::format("process {}", pid_));
      received_.erase(0, end + 1);
    }
    return received_.size() >= head_->bytes;
  }

  Result<std::string> Take() && {  // REQUIRES: complete
    received_.resize(head_->bytes);
    if (head_->error) return Fail(*head_->error, std::move(received_));
    return std::move(received_);
  }

 private:
  int pid_;
  std::optional<ControlHead> head_;
  std::string received_;
};

// Waits for bytes until `deadline`. False when there are none by then.
bool WaitReadable(int fd, SteadyTime deadline) {
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return false;
    pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
    const auto most = std::min(left, milliseconds(std::chrono::hours(1)));
    const int ready = ::poll(&wait, 1, static_cast<int>(most.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Result<std::string> ReadAnswer(int pid, int fd, SteadyTime deadline) {
  Answer answer(pid);
  std::array<char, 64 << 10> chunk;
  while (true) {
    const ssize_t count = ::recv(fd, chunk.data(), chunk.size(), 0);
    if (count > 0) {
      const bool complete = HOLO_TRY(answer.Add({chunk.data(), static_cast<std::size_t>(count)}));
      if (complete) return std::move(answer).Take();
    } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (!WaitReadable(fd, deadline)) return TooLate(pid);
    } else {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("the answer of process {} was cut off", pid));
    }
  }
}

// The pid in a line of /proc/net/unix that describes a door: "address: refs protocol flags type
// state inode path", where flag 0x10000 is a listening socket.
std::optional<int> PidOfDoor(const std::string& line) {
  const auto at = line.find(fmt::format(" @{}", kControlNamePrefix));
  if (at == std::string::npos || line.find(" 00010000 ") == std::string::npos) return std::nullopt;
  const char* begin = line.data() + at + 2 + kControlNamePrefix.size();
  const char* end = line.data() + line.size();
  int pid = 0;
  const auto [last, error] = std::from_chars(begin, end, pid);
  if (error != std::errc() || last != end || pid <= 0) return std::nullopt;
  return pid;
}

}  // namespace

Result<std::string> AskProcess(int pid, std::string_view request, milliseconds timeout) {
  if (!IsControlLine(request)) {
    return Fail(ErrorCode::kInvalidArgument, "a request is one line of printable characters");
  }
  if (pid <= 0) return NoDoor(pid);
  timeout = std::clamp(timeout, milliseconds(0), milliseconds(std::chrono::hours(1000)));
  const SteadyTime deadline = SteadyClock::now() + timeout;
  const UniqueFd fd = HOLO_TRY(Connect(pid, timeout));
  SendLine(fd.get(), request);
  return ReadAnswer(pid, fd.get(), deadline);
}

std::vector<int> FindProcesses() {
  std::vector<int> pids;
  std::ifstream sockets("/proc/net/unix");
  for (std::string line; std::getline(sockets, line);) {
    if (const auto pid = PidOfDoor(line)) pids.push_back(*pid);
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

}  // namespace holostat::runtime
