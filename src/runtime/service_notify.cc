#include "runtime/service_notify.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace holostat::runtime {
namespace {

using std::chrono::microseconds;

std::string TakeVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return "";
  std::string taken(value);
  ::unsetenv(name);
  return taken;
}

Result<std::uint64_t> ParseNumber(const char* name, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0)
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{} is no number: {}", name, text));
  return number;
}

// The manager wants to know when the reload began, in the clock of its own.
std::uint64_t MonotonicMicroseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1000;
}

}  // namespace

ServiceNotify::Variables ServiceNotify::TakeVariables() {
  return {TakeVariable("NOTIFY_SOCKET"), TakeVariable("WATCHDOG_USEC"),
          TakeVariable("WATCHDOG_PID")};
}

Result<std::unique_ptr<ServiceNotify>> ServiceNotify::Create(const Variables& variables) {
  std::unique_ptr<ServiceNotify> notify(new ServiceNotify());
  if (variables.socket.empty()) return notify;
  HOLO_TRY(notify->Connect(variables.socket));
  if (variables.watchdog_usec.empty()) return notify;
  const std::uint64_t number = HOLO_TRY(ParseNumber("WATCHDOG_USEC", variables.watchdog_usec));
  const auto self = static_cast<std::uint64_t>(::getpid());
  const bool is_for_us = variables.watchdog_pid.empty() ||
                         ParseNumber("WATCHDOG_PID", variables.watchdog_pid).value_or(0) == self;
  if (is_for_us) notify->watchdog_period_ = std::max(microseconds(number) / 2, microseconds(1000));
  return notify;
}

Result<void> ServiceNotify::Connect(std::string_view name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const bool is_abstract = name.starts_with('@');
  if ((!is_abstract && !name.starts_with('/')) || name.size() >= sizeof address.sun_path)
    return Fail(ErrorCode::kInvalidArgument, fmt::format("NOTIFY_SOCKET is no path: {}", name));
  std::memcpy(address.sun_path, name.data(), name.size());
  if (is_abstract) address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  socket_.reset(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket_ ||
      ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("NOTIFY_SOCKET {} takes nothing: {}", name, std::strerror(errno)));
  }
  return {};
}

void ServiceNotify::StartWatchdog(EventLoop& loop) {
  if (watchdog_period_.count() == 0) return;
  watchdog_ = loop.Every(watchdog_period_, [this] { Send("WATCHDOG=1"); });
}

void ServiceNotify::Ready() {
  if (state_ == State::kReady || state_ == State::kStopping) return;
  state_ = State::kReady;
  Send("READY=1");
}

void ServiceNotify::Reloading() {
  if (state_ != State::kReady) return;
  state_ = State::kReloading;
  Send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", MonotonicMicroseconds()));
}

void ServiceNotify::Stopping() {
  if (state_ == State::kStopping) return;
  state_ = State::kStopping;
  Send("STOPPING=1");
}

void ServiceNotify::Status(std::string_view text) {
  if (text == status_) return;
  status_ = text;
  Send(fmt::format("STATUS={}", status_));
}

// What cannot be sent is missed: there is nobody to tell, and the next sign of life comes soon.
void ServiceNotify::Send(std::string_view message) {
  if (socket_) (void)::send(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL);
}

}  // namespace holostat::runtime
