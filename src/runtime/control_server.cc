#include "runtime/control_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>

#include "base/unique_fd.h"
#include "runtime/control_protocol.h"

namespace holostat::runtime {
namespace {

constexpr std::size_t kMaxConnections = 8;
constexpr int kBacklog = 16;
constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kAcceptPause = std::chrono::seconds(1);

std::string ErrorAnswer(const Error& error) {
  const auto message = std::string_view(error.message).substr(0, kMaxControlErrorBytes);
  return FormatControlHead({.error = error.code, .bytes = message.size()}).append(message);
}

// A client that is not served. The answer is small enough for any socket's buffer.
void Refuse(int fd, const Error& error) {
  const std::string answer = ErrorAnswer(error);
  [[maybe_unused]] const auto ignored =
      ::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool MayAsk(int fd) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
  return peer.uid == 0 || peer.uid == ::geteuid();
}

// A client in one of three phases: its line comes in, its answer is awaited, its answer goes out.
struct Connection {
  UniqueFd fd;
  std::string line;  // what has come of it
  std::string head, answer;
  std::size_t written = 0;  // of head and answer
  // Last, since the descriptor has to be open when they end.
  EventLoop::Handle watch, deadline;
};

// What the server and the replies share. Replies hold it weakly, by the connection's number.
class Door : public std::enable_shared_from_this<Door> {
 public:
  Door(EventLoop& loop, ControlServer::Handler handler, UniqueFd listener)
      : loop_(loop), handler_(std::move(handler)), listener_(std::move(listener)) {}

  Result<void> Open();
  void Close() {
    accept_.reset();
    accept_again_.reset();
    connections_.clear();
    listener_.reset();
  }
  void Answer(std::uint64_t number, std::string head, std::string answer);

 private:
  void Resume();
  void AcceptSome();
  void Add(UniqueFd fd);
  void Read(std::uint64_t number);
  void Ask(std::uint64_t number, const std::string& line);
  void Write(std::uint64_t number);
  bool Watch(std::uint64_t number, std::uint32_t events, void (Door::*ready)(std::uint64_t));
  void LimitTime(std::uint64_t number);
  void Drop(std::uint64_t number) { connections_.erase(number); }

  EventLoop& loop_;
  const ControlServer::Handler handler_;
  UniqueFd listener_;
  EventLoop::Handle accept_, accept_again_;
  std::map<std::uint64_t, Connection> connections_;  // at most kMaxConnections
  std::uint64_t next_number_ = 1;
};

class ReplyTo final : public ControlServer::Reply {
 public:
  ReplyTo(std::weak_ptr<Door> door, std::uint64_t number)
      : door_(std::move(door)), number_(number) {}
  ~ReplyTo() override { Fail({ErrorCode::kInternal, "the request was not answered"}); }

  void Send(std::string bytes) override {
    if (bytes.size() > kMaxControlAnswerBytes) {
      return Fail({ErrorCode::kLimitExceeded, "the answer is too large"});
    }
    std::string head = FormatControlHead({.error = {}, .bytes = bytes.size()});
    Answer(std::move(head), std::move(bytes));
  }
  void Fail(const Error& error) override { Answer(ErrorAnswer(error), {}); }

 private:
  void Answer(std::string head, std::string answer) {
    const auto door = std::exchange(door_, {}).lock();
    if (door) door->Answer(number_, std::move(head), std::move(answer));
  }

  std::weak_ptr<Door> door_;  // none after the first answer
  std::uint64_t number_;
};

Result<void> Door::Open() {
  accept_ =
      HOLO_TRY(loop_.Watch(listener_.get(), EPOLLIN, [this](std::uint32_t) { AcceptSome(); }));
  return {};
}

void Door::Resume() {
  if (!Open()) accept_again_ = loop_.After(kAcceptPause, [this] { Resume(); });
}

void Door::AcceptSome() {
  for (int i = 0; i < kBacklog; ++i) {
    UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd) {
      Add(std::move(fd));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
      // The client stays in the queue and would wake the loop at once, again and again.
      accept_.reset();
      accept_again_ = loop_.After(kAcceptPause, [this] { Resume(); });
      return;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return;
    }
  }
}

void Door::Add(UniqueFd fd) {
  if (!MayAsk(fd.get())) {
    return Refuse(fd.get(), {ErrorCode::kUnavailable,
                             "only the user whose process this is, and root, may ask it"});
  }
  if (connections_.size() >= kMaxConnections) {
    return Refuse(fd.get(), {ErrorCode::kOverloaded, "too many ask this process at once"});
  }
  const std::uint64_t number = next_number_++;
  connections_[number].fd = std::move(fd);
  LimitTime(number);
  Watch(number, EPOLLIN, &Door::Read);
}

// False, and the connection gone, when it cannot be watched.
bool Door::Watch(std::uint64_t number, std::uint32_t events, void (Door::*ready)(std::uint64_t)) {
  Connection& connection = connections_.at(number);
  connection.watch.reset();  // a descriptor is watched once at a time
  auto watch = loop_.Watch(connection.fd.get(), events, [this, number, ready](std::uint32_t) {
    const auto keep = shared_from_this();  // a handler may destroy the server
    (this->*ready)(number);
  });
  if (!watch) {
    Drop(number);
    return false;
  }
  connection.watch = std::move(*watch);
  return true;
}

void Door::LimitTime(std::uint64_t number) {
  connections_.at(number).deadline = loop_.After(kPatience, [this, number] { Drop(number); });
}

void Door::Read(std::uint64_t number) {
  Connection& connection = connections_.at(number);
  std::array<char, kMaxControlLineBytes> bytes;
  const ssize_t count = ::recv(connection.fd.get(), bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0 && connection.line.empty()) return Drop(number);  // left without a word
  if (count > 0) connection.line.append(bytes.data(), static_cast<std::size_t>(count));
  const auto end = connection.line.find('\n');
  if (end != std::string::npos) {
    connection.line.resize(end);
  } else if (count > 0 && connection.line.size() < kMaxControlLineBytes) {
    return;  // more to come
  }
  Ask(number, end == std::string::npos ? std::string() : std::move(connection.line));
}

// `line` is empty when what came is none. It is not the connection's, which may end in here.
void Door::Ask(std::uint64_t number, const std::string& line) {
  connections_.at(number).deadline.reset();
  // Nothing but the hang-up, which epoll always tells: a client that has only shut down its sending
  // side waits for its answer.
  if (!Watch(number, 0, &Door::Drop)) return;
  auto reply = std::make_unique<ReplyTo>(weak_from_this(), number);
  if (!IsControlLine(line)) {
    return reply->Fail({ErrorCode::kInvalidArgument,
                        fmt::format("a request is one line of printable ASCII, at most {} bytes",
                                    kMaxControlLineBytes)});
  }
  handler_(line, std::move(reply));
}

void Door::Answer(std::uint64_t number, std::string head, std::string answer) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;  // the client has left
  found->second.head = std::move(head);
  found->second.answer = std::move(answer);
  LimitTime(number);
  Watch(number, EPOLLOUT, &Door::Write);
}

void Door::Write(std::uint64_t number) {
  Connection& connection = connections_.at(number);
  const bool in_head = connection.written < connection.head.size();
  const std::string_view rest =
      in_head
          ? std::string_view(connection.head).substr(connection.written)
          : std::string_view(connection.answer).substr(connection.written - connection.head.size());
  const ssize_t count = ::send(connection.fd.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count < 0) return Drop(number);
  connection.written += static_cast<std::size_t>(count);
  if (connection.written == connection.head.size() + connection.answer.size()) return Drop(number);
  LimitTime(number);
}

class Server final : public ControlServer {
 public:
  explicit Server(std::shared_ptr<Door> door) : door_(std::move(door)) {}
  ~Server() override { door_->Close(); }

 private:
  std::shared_ptr<Door> door_;
};

Result<UniqueFd> Listen() {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const ControlAddress door = ControlAddressOf(::getpid());
  if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&door.address), door.length) != 0 ||
      ::listen(fd.get(), kBacklog) != 0) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot listen on @{}{}: {}", kControlNamePrefix, ::getpid(),
                            std::strerror(errno)));
  }
  return fd;
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::Create(EventLoop& loop, Handler handler) {
  auto door = std::make_shared<Door>(loop, std::move(handler), HOLO_TRY(Listen()));
  HOLO_TRY(door->Open());
  return std::make_unique<Server>(std::move(door));
}

}  // namespace holostat::runtime
