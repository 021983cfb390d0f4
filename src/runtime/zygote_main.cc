#include "runtime/zygote_main.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "base/heap_control.h"
#include "base/unique_fd.h"
#include "ipc/slot.h"
#include "runtime/heap_command.h"
#include "runtime/worker_main.h"

namespace holostat::runtime {
namespace {

constexpr int kOk = 0;
constexpr int kCannotStart = 71;  // EX_OSERR of sysexits.h

void Complain(const Error& error) {
  std::fprintf(stderr, "holostat: worker: %s\n", error.message.c_str());
}

// A worker can be replaced at once; the zygote, about as large, cannot.
void PreferAsVictim() {
  constexpr std::string_view kScore = "300";  // of 1000, as if it held 30 % of what there is more
  const UniqueFd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  // Without it the kernel chooses by size alone.
  if (file) static_cast<void>(!::write(file.get(), kScore.data(), kScore.size()));
}

// A page that survives fork as one page: how the process in between tells the worker's pid.
class SharedPid {
 public:
  SharedPid()
      : page_(::mmap(nullptr, sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                     0)) {}
  ~SharedPid() {
    if (ok()) ::munmap(page_, sizeof(pid_t));
  }
  SharedPid(const SharedPid&) = delete;
  SharedPid& operator=(const SharedPid&) = delete;

  bool ok() const { return page_ != MAP_FAILED; }
  std::atomic_ref<pid_t> value() { return std::atomic_ref<pid_t>(*static_cast<pid_t*>(page_)); }

 private:
  void* page_;
};

class Zygote {
 public:
  Zygote(ipc::Channel channel, JobHandler& handler, const ZygoteOptions& options,
         const Sandbox& sandbox)
      : channel_(std::move(channel)), handler_(handler), options_(options), sandbox_(sandbox) {}

  int Run();

 private:
  void Serve(ipc::Received received);
  ipc::WorkerForked Fork(const ipc::ForkWorker& order, ipc::Received& received);
  [[noreturn]] void BecomeWorker(const ipc::ForkWorker& order, ipc::Received& received,
                                 pid_t forked_by);
  Result<WorkerSeat> TakeSeat(const ipc::ForkWorker& order, ipc::Received& received);

  ipc::Channel channel_;
  JobHandler& handler_;
  const ZygoteOptions& options_;
  const Sandbox& sandbox_;
  SharedPid worker_pid_;
};

int Zygote::Run() {
  if (!worker_pid_.ok()) return kCannotStart;
  const auto load = std::chrono::steady_clock::now() - options_.started;
  const ipc::ZygoteReady ready{
      .pid = static_cast<std::uint32_t>(::getpid()),
      .models = handler_.models(),
      .load_ms = static_cast<std::uint32_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(load).count()),
      .heap_bytes = HeapInUseBytes()};
  if (!channel_.Send(ready)) return kOk;  // the supervisor has gone
  while (channel_.WaitReadable()) {
    auto received = channel_.Receive();
    if (!received) return received.error().code == ErrorCode::kUnavailable ? kOk : kCannotStart;
    if (!*received) continue;
    if (std::holds_alternative<ipc::Stop>((*received)->message)) return kOk;
    Serve(*std::move(*received));
  }
  return kOk;
}

void Zygote::Serve(ipc::Received received) {
  // An answer that cannot be sent means that the supervisor is gone: the next wait tells.
  if (const auto* order = std::get_if<ipc::ForkWorker>(&received.message)) {
    static_cast<void>(channel_.Send(Fork(*order, received)));
  } else if (const auto* command = std::get_if<ipc::HeapCommand>(&received.message)) {
    static_cast<void>(channel_.Send(RunHeapCommand(*command, received.fds[0].get())));
  }
}

ipc::WorkerForked Zygote::Fork(const ipc::ForkWorker& order, ipc::Received& received) {
  ipc::WorkerForked forked{.worker_id = order.worker_id};
  worker_pid_.value() = 0;
  const pid_t between = ::fork();
  if (between < 0) {
    forked.error_number = errno;
    return forked;
  }
  if (between == 0) {
    const pid_t itself = ::getpid();
    const pid_t worker = ::fork();
    if (worker == 0) BecomeWorker(order, received, itself);
    worker_pid_.value() = worker > 0 ? worker : -errno;
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  const pid_t pid = worker_pid_.value();
  if (pid > 0) {
    forked.pid = static_cast<std::uint32_t>(pid);
  } else {
    forked.error_number = pid < 0 ? -pid : ECHILD;  // the one in between was killed
  }
  return forked;
}

Result<WorkerSeat> Zygote::TakeSeat(const ipc::ForkWorker& order, ipc::Received& received) {
  // The channel becomes 3 and nothing else of the zygote's is left open but the standard streams.
  constexpr int kChannel = 3, kArea = 4;
  int area = ::fcntl(received.fds[1].get(), F_DUPFD, kArea + 1);
  const int channel = ::fcntl(received.fds[0].get(), F_DUPFD, kArea + 1);
  if (area < 0 || channel < 0 || ::dup3(channel, kChannel, O_CLOEXEC) < 0 ||
      ::dup3(area, kArea, O_CLOEXEC) < 0 || ::close_range(kArea + 1, ~0u, 0) != 0) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot arrange descriptors: {}", std::strerror(errno)));
  }
  Mapping answers = HOLO_TRY(ipc::MapAnswerArea(kArea, order.answer_bytes));
  ::close(kArea);
  return WorkerSeat{order.worker_id, ipc::Channel(UniqueFd(kChannel)), std::move(answers)};
}

// Never returns into the zygote's code: its descriptors are gone by then, so nothing of it may be
// destroyed.
void Zygote::BecomeWorker(const ipc::ForkWorker& order, ipc::Received& received, pid_t forked_by) {
  while (::getppid() == forked_by) ::sched_yield();  // it ends at once
  if (!TieToParent(options_.supervisor)) ::_exit(kOk);
  ::setpgid(0, 0);
  PreferAsVictim();
  ::prctl(PR_SET_NAME, fmt::format("holo-worker-{}", order.worker_id).c_str());
  // Else the kernel may join pages of ours into huge ones, copying weights that it shares.
  ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  auto seat = TakeSeat(order, received);
  if (!seat) {
    Complain(seat.error());
    ::_exit(kCannotStart);
  }
  int code = kCannotStart;
  try {
    if (options_.faults != nullptr) options_.faults->AtStart(order.fault);
    handler_.PrepareWorker();
    if (const auto entered = sandbox_.Enter(); !entered) {
      Complain(entered.error());
    } else {
      code = RunWorker(*std::move(seat), handler_, options_.faults);
    }
  } catch (const std::exception& error) {  // of a library, or no memory
    std::fprintf(stderr, "holostat: worker: %s\n", error.what());
  }
  ::_exit(code);
}

}  // namespace

bool TieToParent(pid_t parent) {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
}

int RunZygote(ipc::Channel channel, JobHandler& handler, const ZygoteOptions& options) {
  if (!TieToParent(options.supervisor)) return kOk;
  ::prctl(PR_SET_NAME, "holo-zygote");
  const auto sandbox = Sandbox::Prepare(options.limits);
  if (!sandbox) {
    Complain(sandbox.error());
    return kCannotStart;
  }
  return Zygote(std::move(channel), handler, options, **sandbox).Run();
}

}  // namespace holostat::runtime
