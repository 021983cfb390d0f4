#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat::runtime {

// How a process ended.
struct ExitStatus {
  static constexpr int kUnknown = -1;
  bool signaled = false;  // by a signal, of which `value` is the number; else it is the exit code
  int value = 0;
  std::string Describe() const;  // "exit code 3", "signal 11 (Segmentation fault)"
};

// Owns a child of this process: kills and reaps it if it is still there when destroyed, so none is
// left running and none a zombie. Bound to one thread.
class ChildProcess {
 public:
  ChildProcess() = default;

  struct SpawnOptions {
    std::string program;                 // path
    std::vector<std::string> arguments;  // without the program
    // Becomes descriptor 3 of the child; its input is empty, both its outputs are our stderr; all
    // else is closed if close-on-exec, as everything of ours is.
    int channel_fd = -1;
  };
  // In a process group of its own, so that a Ctrl-C on the terminal reaches only us, with default
  // signal handling. Errors: kNotFound, kOverloaded (no process, no descriptor), kUnavailable.
  static Result<ChildProcess> Spawn(const SpawnOptions& options);

  // Takes over a child that another process forked for us (PR_SET_CHILD_SUBREAPER made us its
  // parent). Errors: kNotFound when we have no such child, kOverloaded.
  static Result<ChildProcess> Adopt(pid_t pid);

  ChildProcess(ChildProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)), pidfd_(std::move(other.pidfd_)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { KillAndReap(); }

  explicit operator bool() const { return pid_ != 0; }
  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }  // readable once it has ended

  void Signal(int number) const;  // does nothing once it has ended
  // How it ended, if it has; from then on this owns nothing.
  std::optional<ExitStatus> TryReap();
  void KillAndReap();  // waits for the kernel to take it down: milliseconds

 private:
  ChildProcess(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid_ = 0;
  UniqueFd pidfd_;
};

// Children of this process, ended ones that nobody reaped among them. Empty where the kernel does
// not tell (/proc/self/task/*/children).
std::vector<pid_t> ChildrenOfThisProcess();

}  // namespace holostat::runtime
