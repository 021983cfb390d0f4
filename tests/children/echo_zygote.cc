// A zygote for tests of the runtime: no models, a job is a line of text. What a line does:
//
//   anything else     is answered reversed
//   error TEXT        the request's own error (kCorruptData)
//   open PATH         opens a file: "fd N" or the errno's name
//   socket, fork      tries to
//   kill PID          sends signal 0
//   fds               how many descriptors the worker has
//   caps              its capabilities, as in /proc: cannot be read in the sandbox, so by capget
//   memory BYTES      allocates and touches them
//   whoami            its process id
//   own PID           asks for PID to be signalled when its channel is used (F_SETOWN)
//   async             asks for signals at all (O_ASYNC)
//   say-TYPE          sends the supervisor a message that it did not ask for, and hangs
//   long-error        the request's own error, with 100 KB of text
//   stdio             what its standard streams are
//
// "GIF89a" before a line is skipped: a server takes only what begins as a picture.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/faults.h"
#include "runtime/zygote_main.h"

namespace holostat::runtime {
namespace {

std::string Outcome(long result) {
  return result >= 0 ? fmt::format("ok {}", result) : std::string(::strerrorname_np(errno));
}

std::size_t CountFds() {
  std::size_t count = 0;
  for (int fd = 0; fd < 1024; ++fd) count += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

std::string Capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  // capget is not on the list of allowed calls: what counts is what may be done.
  return Outcome(::syscall(SYS_capget, &header, data));
}

// Whether its input is empty and its output is where its complaints go.
std::string StandardStreams() {
  char byte = 0;
  struct stat out {
  }, error{};
  ::fstat(STDOUT_FILENO, &out);
  ::fstat(STDERR_FILENO, &error);
  const bool empty = ::read(STDIN_FILENO, &byte, 1) == 0;
  const bool same = out.st_dev == error.st_dev && out.st_ino == error.st_ino;
  return fmt::format("{} {}", empty ? "empty" : "input", same ? "stderr" : "stdout");
}

[[noreturn]] void Say(std::string_view type) {
  const ipc::Channel channel{UniqueFd(3)};
  // More than one: an answer that is under way may be due.
  for (int i = 0; i < 3; ++i) {
    if (type == "ready") static_cast<void>(channel.Send(ipc::WorkerReady{1, 1}));
    if (type == "forked") static_cast<void>(channel.Send(ipc::WorkerForked{1, 1, 0}));
    if (type == "heap-done") static_cast<void>(channel.Send(ipc::HeapDone{1, 0, {}}));
  }
  for (;;) ::pause();
}

// A page that the zygote and its workers share: starts so far.
std::atomic<int>* starts = nullptr;

class EchoHandler final : public JobHandler {
 public:
  std::uint32_t models() const override { return models_; }
  EchoHandler(std::uint32_t models, int hanging_starts)
      : models_(models), hanging_starts_(hanging_starts) {}
  void PrepareWorker() override {
    while (hanging_starts_ > 0 && starts->fetch_add(1) < hanging_starts_) ::pause();
  }
  void Trim() override {}

  Result<JobOutcome> Handle(const ipc::Job& job, std::span<const std::byte> request,
                            std::span<std::byte> answer) override {
    std::string_view line(reinterpret_cast<const char*>(request.data()), request.size());
    constexpr std::string_view kPicture = "GIF89a";
    if (line.starts_with(kPicture)) line.remove_prefix(kPicture.size());
    const std::string text = HOLO_TRY(Do(job, line));
    if (text.size() > answer.size()) return Fail(ErrorCode::kLimitExceeded, "answer too large");
    std::memcpy(answer.data(), text.data(), text.size());
    return JobOutcome{.answer_bytes = text.size()};
  }

 private:
  Result<std::string> Do(const ipc::Job& job, std::string_view line) {
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string rest(line.substr(std::min(word.size() + 1, line.size())));
    if (word == "error") return Fail(ErrorCode::kCorruptData, rest);
    if (word == "long-error") return Fail(ErrorCode::kCorruptData, std::string(100'000, 'e'));
    if (word.starts_with("say-")) Say(word.substr(4));
    if (word == "open") return Outcome(::open(rest.c_str(), O_RDONLY));
    if (word == "socket") return Outcome(::socket(AF_INET, SOCK_STREAM, 0));
    if (word == "fork") return Outcome(::fork());
    if (word == "kill") return Outcome(::kill(std::atoi(rest.c_str()), 0));
    if (word == "own") return Outcome(::fcntl(3, F_SETOWN, std::atoi(rest.c_str())));
    if (word == "async") return Outcome(::fcntl(3, F_SETFL, O_ASYNC | O_NONBLOCK));
    if (word == "stdio") return StandardStreams();
    if (word == "caps") return Capabilities();
    if (word == "fds") return fmt::to_string(CountFds());
    if (word == "whoami") return fmt::to_string(::getpid());
    if (word == "complexity") return fmt::to_string(static_cast<int>(job.complexity));
    if (word == "memory")
      return std::string(static_cast<std::size_t>(std::atoll(rest.c_str())), 'm');
    return std::string(line.rbegin(), line.rend());
  }

  std::uint32_t models_;
  int hanging_starts_;
};

void HangTheFirst(const char* mark) {
  const UniqueFd file(::open(mark, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  while (file) ::pause();
}

}  // namespace
}  // namespace holostat::runtime

// echo_zygote [--die CODE] [--hang-load MARK] [--hang-starts N] [--memory-mb N] [--lacks MODELS]
//   --supervisor PID --models-mask N
// --hang-load: the first one to create the file MARK hangs. --lacks: a mask of models that it
// cannot load.
int main(int argc, char** argv) {
  using namespace holostat;
  runtime::ZygoteOptions options;
  options.started = std::chrono::steady_clock::now();
  std::uint32_t models = 0, lacks = 0;
  int hanging_starts = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const int value = std::atoi(argv[i + 1]);
    if (name == "--die") return value;
    if (name == "--hang-load") runtime::HangTheFirst(argv[i + 1]);
    if (name == "--hang-starts") hanging_starts = value;
    if (name == "--lacks") lacks = static_cast<std::uint32_t>(value);
    if (name == "--memory-mb")
      options.limits.memory_bytes = static_cast<std::uint64_t>(value) << 20;
    if (name == "--supervisor") options.supervisor = value;
    if (name == "--models-mask") models = static_cast<std::uint32_t>(value);
  }
  runtime::Faults faults;
  options.faults = &faults;
  if ((models & lacks) != 0) return 5;
  void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 1;
  runtime::starts = new (page) std::atomic<int>(0);
  runtime::EchoHandler handler(models, hanging_starts);
  constexpr int kChannelFd = 3;
  return runtime::RunZygote(ipc::Channel(UniqueFd(kChannelFd)), handler, options);
}
