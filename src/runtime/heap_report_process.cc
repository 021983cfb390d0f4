#include "runtime/heap_report_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

namespace holostat::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxReportBytes = std::size_t{4} << 20;
constexpr int kFirstSnapshotFd = 3;  // and 4, in the new process
constexpr int kMovedFds = 10;        // above all that the new process uses

tl::unexpected<Error> Overloaded(std::string_view what) {
  return Fail(ErrorCode::kOverloaded, fmt::format("{}: {}", what, std::strerror(errno)));
}

// Snapshots lie in memory: a file would have to be cleaned up.
Result<UniqueFd> InMemory(const HeapSnapshot& snapshot) {
  UniqueFd file(::memfd_create("heap snapshot", MFD_CLOEXEC));
  if (!file) return Overloaded("no memory for a heap snapshot");
  std::string text = FormatHeapSnapshot(snapshot);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = ::write(file.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Overloaded("no memory for a heap snapshot");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  // dup2 of a descriptor onto itself would leave it close-on-exec.
  UniqueFd moved(::fcntl(file.get(), F_DUPFD_CLOEXEC, kMovedFds));
  if (!moved) return Overloaded("no descriptor for a heap snapshot");
  return moved;
}

// The C interface of posix_spawn, released on every path.
class Spawn {
 public:
  Spawn() {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;
  ~Spawn() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  void Give(int fd, int as) { ::posix_spawn_file_actions_adddup2(&files_, fd, as); }
  void OpenNull(int as, int flags) {
    ::posix_spawn_file_actions_addopen(&files_, as, "/dev/null", flags, 0);
  }
  void CloseFrom(int fd) { ::posix_spawn_file_actions_addclosefrom_np(&files_, fd); }

  Result<pid_t> Run(const std::string& program, std::vector<std::string> arguments) {
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t pid = -1;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &files_, &attributes_, pointers.data(), environ);
    if (error == 0) return pid;
    const bool no_room = error == EAGAIN || error == ENOMEM;
    return Fail(no_room ? ErrorCode::kOverloaded : ErrorCode::kUnavailable,
                fmt::format("cannot start {}: {}", program, std::strerror(error)));
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

std::vector<std::string> Arguments(const HeapReportOrder& order) {
  std::vector<std::string> arguments{"holostat", "heap", order.before != nullptr ? "diff" : "show",
                                     "--count", std::to_string(order.count)};
  if (order.form == HeapReportOrder::Form::kJson) arguments.emplace_back("--json");
  int fd = kFirstSnapshotFd;
  if (order.before != nullptr) arguments.push_back(fmt::format("/proc/self/fd/{}", fd++));
  arguments.push_back(fmt::format("/proc/self/fd/{}", fd));
  return arguments;
}

// Reads to the end of the stream. False: too late, or too much.
bool ReadAll(int fd, Clock::time_point deadline, std::string& text) {
  std::array<char, 16384> chunk;
  for (;;) {
    const ssize_t count = ::read(fd, chunk.data(), chunk.size());
    if (count == 0) return true;
    if (count > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
      if (text.size() > kMaxReportBytes) return false;
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
    ::poll(&wait, 1, static_cast<int>(left));
  }
}

int Reap(pid_t pid) {
  int status = -1;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

Result<HeapReportProcess> StartHeapReport(const HeapReportOrder& order) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Overloaded("no pipe for a heap report");
  UniqueFd output(ends[0]);
  UniqueFd input(ends[1]);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  std::vector<UniqueFd> snapshots;
  if (order.before != nullptr) snapshots.push_back(HOLO_TRY(InMemory(*order.before)));
  snapshots.push_back(HOLO_TRY(InMemory(*order.after)));
  Spawn spawn;
  spawn.OpenNull(STDIN_FILENO, O_RDONLY);
  spawn.Give(input.get(), STDOUT_FILENO);
  spawn.OpenNull(STDERR_FILENO, O_WRONLY);
  int next = kFirstSnapshotFd;
  for (const UniqueFd& snapshot : snapshots) spawn.Give(snapshot.get(), next++);
  spawn.CloseFrom(next);
  const pid_t pid = HOLO_TRY(spawn.Run(order.program, Arguments(order)));
  return HeapReportProcess{.pid = pid, .output = std::move(output)};
}

Result<std::string> FinishHeapReport(HeapReportProcess process, std::chrono::milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  std::string text;
  const bool whole = ReadAll(process.output.get(), deadline, text);
  if (!whole) ::kill(process.pid, SIGKILL);
  const int status = Reap(process.pid);
  if (!whole && text.size() <= kMaxReportBytes)
    return Fail(ErrorCode::kTimeout, "the heap report took too long");
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Fail(ErrorCode::kUnavailable, "the heap report failed");
  return text;
}

}  // namespace holostat::runtime
