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
//   touch-shared      how many bytes of the zygote's ballast are shared with it (unwritten)
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
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

class EchoHandler final : public JobHandler {
 public:
  std::uint32_t models() const override { return models_; }
  explicit EchoHandler(std::uint32_t models) : models_(models) {}
  void PrepareWorker() override {}
  void Trim() override {}

  Result<std::size_t> Handle(const ipc::Job& job, std::span<const std::byte> request,
                             std::span<std::byte> answer) override {
    const std::string_view line(reinterpret_cast<const char*>(request.data()), request.size());
    const std::string text = HOLO_TRY(Do(job, line));
    if (text.size() > answer.size()) return Fail(ErrorCode::kLimitExceeded, "answer too large");
    std::memcpy(answer.data(), text.data(), text.size());
    return text.size();
  }

 private:
  Result<std::string> Do(const ipc::Job& job, std::string_view line) {
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string rest(line.substr(std::min(word.size() + 1, line.size())));
    if (word == "error") return Fail(ErrorCode::kCorruptData, rest);
    if (word == "open") return Outcome(::open(rest.c_str(), O_RDONLY));
    if (word == "socket") return Outcome(::socket(AF_INET, SOCK_STREAM, 0));
    if (word == "fork") return Outcome(::fork());
    if (word == "kill") return Outcome(::kill(std::atoi(rest.c_str()), 0));
    if (word == "caps") return Capabilities();
    if (word == "fds") return fmt::to_string(CountFds());
    if (word == "whoami") return fmt::to_string(::getpid());
    if (word == "complexity") return fmt::to_string(static_cast<int>(job.complexity));
    if (word == "memory")
      return std::string(static_cast<std::size_t>(std::atoll(rest.c_str())), 'm');
    return std::string(line.rbegin(), line.rend());
  }

  std::uint32_t models_;
};

}  // namespace
}  // namespace holostat::runtime

// echo_zygote [--die CODE] [--slow-load MS] [--memory-mb N] --supervisor PID --models-mask N
int main(int argc, char** argv) {
  using namespace holostat;
  runtime::ZygoteOptions options;
  options.started = std::chrono::steady_clock::now();
  std::uint32_t models = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const int value = std::atoi(argv[i + 1]);
    if (name == "--die") return value;
    if (name == "--slow-load") ::usleep(static_cast<useconds_t>(value) * 1000);
    if (name == "--memory-mb")
      options.limits.memory_bytes = static_cast<std::uint64_t>(value) << 20;
    if (name == "--supervisor") options.supervisor = value;
    if (name == "--models-mask") models = static_cast<std::uint32_t>(value);
  }
  runtime::Faults faults;
  options.faults = &faults;
  runtime::EchoHandler handler(models);
  constexpr int kChannelFd = 3;
  return runtime::RunZygote(ipc::Channel(UniqueFd(kChannelFd)), handler, options);
}
