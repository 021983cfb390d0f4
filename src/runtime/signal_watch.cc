#include "runtime/signal_watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace holostat::runtime {

struct SignalWatch::Mask {
  sigset_t set;
};

Result<std::unique_ptr<SignalWatch>> SignalWatch::Create(EventLoop& loop,
                                                         std::initializer_list<int> signals,
                                                         std::function<void(int)> on_signal) {
  std::unique_ptr<SignalWatch> watch(new SignalWatch());
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) ::sigaddset(&set, signal);
  watch->on_signal_ = std::move(on_signal);
  watch->fd_.reset(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!watch->fd_) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("cannot watch signals: {}", std::strerror(errno)));
  }
  SignalWatch& self = *watch;
  watch->watch_ =
      HOLO_TRY(loop.Watch(self.fd_.get(), EPOLLIN, [&self](std::uint32_t) { self.OnReadable(); }));
  watch->before_ = std::make_unique<Mask>();
  ::pthread_sigmask(SIG_BLOCK, &set, &watch->before_->set);
  return watch;
}

SignalWatch::~SignalWatch() {
  if (before_) ::pthread_sigmask(SIG_SETMASK, &before_->set, nullptr);
}

void SignalWatch::OnReadable() {
  signalfd_siginfo info;
  // One at a time, of a copy: what is called may destroy this. If there are more we are called
  // again.
  if (::read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return;
  const auto on_signal = on_signal_;
  on_signal(static_cast<int>(info.ssi_signo));
}

}  // namespace holostat::runtime
