#include "runtime/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "base/sanitizers.h"
#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

constexpr std::uint64_t kMaxFileBytes = 64u << 20;  // of a heap profile; no other file is written

// Computing, memory, descriptors that are open, time, signals to itself, the end.
constexpr std::array kAllowed{
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvfrom),
    SCMP_SYS(sendto),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(lseek),
    SCMP_SYS(dup),
    SCMP_SYS(mmap),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(mincore),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(sched_yield),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(getcpu),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(membarrier),
    SCMP_SYS(rseq),
};

// Nothing here ever does these by mistake: whoever tries has taken the process over.
constexpr std::array kFatal{
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(clone),
    SCMP_SYS(clone3),
    SCMP_SYS(ptrace),
    SCMP_SYS(socket),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(mount),
    SCMP_SYS(bpf),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(keyctl),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(init_module),
};

constexpr std::array kOpening{SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(creat)};

// Stands in the filter for the process id, which nobody knows before the fork.
constexpr std::uint32_t kOwnPid = 0x7ffffff1;

using Program = std::vector<sock_filter>;

class FilterBuilder {
 public:
  FilterBuilder() : context_(::seccomp_init(SCMP_ACT_ERRNO(EPERM))) {}
  ~FilterBuilder() { ::seccomp_release(context_); }
  FilterBuilder(const FilterBuilder&) = delete;
  FilterBuilder& operator=(const FilterBuilder&) = delete;

  // A call that this processor does not have is no error.
  void Add(std::uint32_t action, std::span<const int> calls) {
    for (const int call : calls) ::seccomp_rule_add(context_, action, call, 0);
  }
  // Not F_SETOWN and O_ASYNC, by which the kernel sends any signal to any process of the same user.
  void AddFcntl() {
    constexpr std::array kCommands{F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,
                                   F_SETFD, F_GETFL,         F_GET_SEALS};
    for (const int command : kCommands) {
      ::seccomp_rule_add(context_, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                         SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
    }
  }
  // Signals to itself only: abort needs them.
  void AddOwnSignals() {
    for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
      ::seccomp_rule_add(context_, SCMP_ACT_ALLOW, call, 1, SCMP_A0(SCMP_CMP_EQ, kOwnPid));
    }
  }

  Result<Program> Export() const {
    const UniqueFd file(::memfd_create("holostat-filter", MFD_CLOEXEC));
    if (context_ == nullptr || !file || ::seccomp_export_bpf(context_, file.get()) != 0)
      return Fail(ErrorCode::kUnsupported, "cannot build the system call filter");
    const off_t bytes = ::lseek(file.get(), 0, SEEK_END);
    Program program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    if (::pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes)
      return Fail(ErrorCode::kInternal, "cannot read the system call filter back");
    return program;
  }

 private:
  scmp_filter_ctx context_;
};

// The registers of a system call that the filter turned into SIGSYS.
#if defined(__x86_64__)
greg_t Argument(const ucontext_t& context, int index) {
  constexpr std::array kRegisters{REG_RDI, REG_RSI};
  return context.uc_mcontext.gregs[kRegisters[static_cast<std::size_t>(index)]];
}
void SetResult(ucontext_t& context, long value) { context.uc_mcontext.gregs[REG_RAX] = value; }
#elif defined(__aarch64__)
unsigned long long Argument(const ucontext_t& context, int index) {
  return context.uc_mcontext.regs[index];
}
void SetResult(ucontext_t& context, long value) {
  context.uc_mcontext.regs[0] = static_cast<unsigned long long>(value);
}
#endif

// A duplicate of N for "/proc/self/fd/N", else -EACCES. Only what a signal handler may do.
long OpenInSandbox(const char* path) {
  constexpr std::string_view kPrefix = "/proc/self/fd/";
  const std::string_view name(path);
  int fd = -1;
  if (!name.starts_with(kPrefix)) return -EACCES;
  const auto [end, error] =
      std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), fd);
  if (error != std::errc() || end != name.data() + name.size()) return -EACCES;
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 ? copy : -errno;
}

void OnTrappedCall(int, siginfo_t* info, void* raw_context) {
  const int saved_errno = errno;
  auto& context = *static_cast<ucontext_t*>(raw_context);
  const int path_argument = info->si_syscall == SCMP_SYS(openat) ? 1 : 0;
  // The address comes from our own process, which would have faulted as well without the filter.
  SetResult(context,
            OpenInSandbox(reinterpret_cast<const char*>(Argument(context, path_argument))));
  errno = saved_errno;
}

Result<void> Refused(std::string_view what) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("sandbox: cannot {}: {}", what, std::strerror(errno)));
}

Result<void> DropCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return Refused("drop capabilities");
  return {};
}

Result<void> Limit(__rlimit_resource resource, std::uint64_t value) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return Refused("read a limit");
  const rlim_t lower = std::min<rlim_t>(value, now.rlim_max);
  const rlimit wanted{lower, lower};
  if (::setrlimit(resource, &wanted) != 0) return Refused("set a limit");
  return {};
}

// Of the whole address space, from /proc/self/statm; read before files are out of reach.
std::uint64_t AddressSpaceBytes() {
  std::array<char, 128> text{};
  const UniqueFd file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  if (::read(file.get(), text.data(), text.size() - 1) <= 0) return 0;
  std::uint64_t pages = 0;
  std::from_chars(text.data(), text.data() + text.size(), pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

Result<void> LimitResources(const SandboxLimits& limits) {
  if (!HOLO_SANITIZER) {
    const std::uint64_t now = AddressSpaceBytes();
    if (now == 0) return Refused("tell how much memory there is already");
    HOLO_TRY(Limit(RLIMIT_AS, now + limits.memory_bytes));
  }
  HOLO_TRY(Limit(RLIMIT_NOFILE, limits.fds));
  HOLO_TRY(Limit(RLIMIT_FSIZE, kMaxFileBytes));
  return Limit(RLIMIT_CORE, 0);
}

Result<void> InstallFilter(const Program& prepared) {
  std::vector<sock_filter> program = prepared;
  for (sock_filter& step : program) {
    if (step.k == kOwnPid) step.k = static_cast<std::uint32_t>(::getpid());
  }
  struct sigaction action {};
  action.sa_sigaction = &OnTrappedCall;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (::sigaction(SIGSYS, &action, nullptr) != 0) return Refused("handle SIGSYS");
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Refused("give up new privileges");
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0)
    return Refused("filter system calls");
  return {};
}

class PreparedSandbox final : public Sandbox {
 public:
  PreparedSandbox(const SandboxLimits& limits, Program program)
      : limits_(limits), program_(std::move(program)) {}

  Result<void> Enter() const override {
    HOLO_TRY(LimitResources(limits_));
    HOLO_TRY(DropCapabilities());
    return InstallFilter(program_);
  }

 private:
  SandboxLimits limits_;
  Program program_;
};

}  // namespace

Result<std::unique_ptr<Sandbox>> Sandbox::Prepare(const SandboxLimits& limits) {
  FilterBuilder builder;
  builder.Add(SCMP_ACT_ALLOW, kAllowed);
  builder.Add(SCMP_ACT_KILL_PROCESS, kFatal);
  builder.Add(SCMP_ACT_TRAP, kOpening);
  builder.AddFcntl();
  builder.AddOwnSignals();
  return std::make_unique<PreparedSandbox>(limits, HOLO_TRY(builder.Export()));
}

}  // namespace holostat::runtime
