#include "runtime/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

extern char** environ;

namespace holostat::runtime {
namespace {

constexpr int kChannelFd = 3;

Error SpawnError(int number, std::string_view program) {
  const ErrorCode code = number == ENOENT                       ? ErrorCode::kNotFound
                         : number == EAGAIN || number == ENOMEM ? ErrorCode::kOverloaded
                                                                : ErrorCode::kUnavailable;
  return {code, fmt::format("cannot start {}: {}", program, std::strerror(number))};
}

// posix_spawn's two parameter objects, released on every path.
class SpawnSetup {
 public:
  explicit SpawnSetup(int channel_fd) {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_init(&actions_);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    // Also takes close-on-exec off when both numbers are the same.
    if (channel_fd >= 0) ::posix_spawn_file_actions_adddup2(&actions_, channel_fd, kChannelFd);
    // What a library has opened without close-on-exec, as Asio its sockets: a client's connection
    // would stay open for as long as the child lives.
    ::posix_spawn_file_actions_addclosefrom_np(&actions_,
                                               channel_fd >= 0 ? kChannelFd + 1 : kChannelFd);
    // A child of ours reads nothing of our input, and our output is ours alone: it may complain on
    // stderr.
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (::fcntl(STDERR_FILENO, F_GETFD) >= 0)
      ::posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
  }
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  const posix_spawnattr_t* attributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
};

}  // namespace

std::string ExitStatus::Describe() const {
  if (value == kUnknown) return "nobody knows how: it was reaped by other code";
  if (!signaled) return fmt::format("exit code {}", value);
  return fmt::format("signal {} ({})", value, ::strsignal(value));
}

Result<ChildProcess> ChildProcess::Spawn(const SpawnOptions& options) {
  std::vector<std::string> words{options.program};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnSetup setup(options.channel_fd);
  pid_t pid = 0;
  const int failed = ::posix_spawn(&pid, options.program.c_str(), setup.actions(),
                                   setup.attributes(), argv.data(), environ);
  if (failed != 0) return tl::unexpected(SpawnError(failed, options.program));
  auto child = Adopt(pid);
  if (!child) {  // no descriptor left: it must not go on unowned
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  return child;
}

Result<ChildProcess> ChildProcess::Adopt(pid_t pid) {
  // A number that another process has told us: what is no child of ours is not ours to kill.
  siginfo_t info{};
  if (pid <= 0 || ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return Fail(ErrorCode::kNotFound, fmt::format("process {} is no child of this one", pid));
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd) {
    return Fail(errno == ESRCH ? ErrorCode::kNotFound : ErrorCode::kOverloaded,
                fmt::format("cannot watch process {}: {}", pid, std::strerror(errno)));
  }
  return ChildProcess(pid, std::move(pidfd));
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    KillAndReap();
    pid_ = std::exchange(other.pid_, 0);
    pidfd_ = std::move(other.pidfd_);
  }
  return *this;
}

void ChildProcess::Signal(int number) const {
  if (pid_ != 0) ::syscall(SYS_pidfd_send_signal, pidfd_.get(), number, nullptr, 0);
}

std::optional<ExitStatus> ChildProcess::TryReap() {
  siginfo_t info{};
  if (pid_ == 0) return std::nullopt;
  const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG);
  // Reaped by somebody else: it has ended all the same, or we would wait for it for ever.
  const bool unknown = failed != 0 && errno == ECHILD;
  if (!unknown && (failed != 0 || info.si_pid == 0)) return std::nullopt;
  pid_ = 0;
  pidfd_.reset();
  if (unknown) return ExitStatus{false, ExitStatus::kUnknown};
  return ExitStatus{info.si_code != CLD_EXITED, info.si_status};
}

void ChildProcess::KillAndReap() {
  if (pid_ == 0) return;
  Signal(SIGKILL);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  pid_ = 0;
  pidfd_.reset();
}

std::vector<pid_t> ChildrenOfThisProcess() {
  std::vector<pid_t> pids;
  std::error_code ignored;  // no /proc: then there is nothing to tell
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream in(task.path() / "children");
    for (pid_t pid; in >> pid;) pids.push_back(pid);
  }
  return pids;
}

}  // namespace holostat::runtime
