#include "runtime/heap_door.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/heap_control.h"
#include "base/process_memory.h"
#include "base/unique_fd.h"
#include "runtime/control_server.h"
#include "runtime/event_loop.h"
#include "runtime/heap_requests.h"
#include "runtime/service_status.h"

namespace holostat::runtime {
namespace {

constexpr auto kUntilAsked = std::chrono::hours(1);

std::uint32_t EntriesOf(const char* folder) {
  std::error_code ignored;  // 0 then: /proc is not mounted
  std::uint32_t count = 0;
  for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end;
       at.increment(ignored))
    ++count;
  return count;
}

class Door final : public HeapDoor {
 public:
  explicit Door(std::string role) : role_(std::move(role)), opened_(clock_.Now()) {}

  ~Door() override {
    if (!thread_.joinable()) return;
    stop_ = true;
    ::eventfd_write(wake_.get(), 1);
    thread_.join();
  }

  // The loop is made here, so that its errors are the caller's, and used by the thread alone.
  Result<void> Start() {
    wake_ = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake_)
      return Fail(ErrorCode::kOverloaded,
                  fmt::format("no descriptor for the door: {}", std::strerror(errno)));
    loop_ = HOLO_TRY(EventLoop::Create(clock_));
    waker_ = HOLO_TRY(loop_->Watch(wake_.get(), EPOLLIN, [](std::uint32_t) {}));
    server_ = HOLO_TRY(ControlServer::Create(*loop_, [this](std::string_view request, auto reply) {
      if (auto answer = Answer(request))
        reply->Send(*std::move(answer));
      else
        reply->Fail(answer.error());
    }));
    return StartThread();
  }

 private:
  // Signals are for the threads of the program: they are blocked in this one.
  Result<void> StartThread() {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    Result<void> started;
    try {
      thread_ = std::thread([this] { Serve(); });
    } catch (const std::system_error& error) {
      started =
          Fail(ErrorCode::kOverloaded, fmt::format("no thread for the door: {}", error.what()));
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
  }

  void Serve() {
    ::pthread_setname_np(::pthread_self(), "heap-door");
    while (!stop_) loop_->Step(kUntilAsked);
  }

  Result<std::string> Answer(std::string_view request) const {
    try {
      if (request == kStatusRequest) return ToJson(Status());
      if (IsHeapRequest(request)) return HandleOwnHeapRequest(request, role_);
    } catch (const std::exception& error) {  // of a library; no memory, most likely
      return Fail(ErrorCode::kOverloaded, error.what());
    }
    return Fail(ErrorCode::kInvalidArgument, "this process answers to: status, heap");
  }

  ServiceStatus Status() const {
    ProcessStatus process;
    process.role = role_;
    process.pid = ::getpid();
    process.state = "running";
    process.generation = 1;
    process.age_s = std::chrono::duration<double>(clock_.Now() - opened_).count();
    process.heap_bytes = HeapInUseBytes();
    process.fds = EntriesOf("/proc/self/fd") - 1;  // but for that of the count itself
    process.threads = EntriesOf("/proc/self/task");
    if (const auto memory = ReadProcessMemory()) {
      process.uss_bytes = memory->uss_bytes;
      process.pss_bytes = memory->pss_bytes;
      process.rss_bytes = memory->rss_bytes;
    }
    ServiceStatus status;
    status.uptime_s = process.age_s;
    status.service_pss_bytes = process.pss_bytes;
    status.memory_level = "normal";
    status.processes.push_back(std::move(process));
    return status;
  }

  const std::string role_;
  const SystemClock clock_;
  const SteadyTime opened_;
  std::atomic<bool> stop_{false};  // set before the wake-up, which orders it
  UniqueFd wake_;
  std::unique_ptr<EventLoop> loop_;
  EventLoop::Handle waker_;
  std::unique_ptr<ControlServer> server_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<HeapDoor>> HeapDoor::Open(std::string role) {
  auto door = std::make_unique<Door>(std::move(role));
  HOLO_TRY(door->Start());
  return door;
}

}  // namespace holostat::runtime
