#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"
#include "ipc/message.h"

namespace holostat::ipc {

inline constexpr std::size_t kMaxFds = 2;  // that come with one message

struct Received {
  Message message;
  std::array<UniqueFd, kMaxFds> fds;  // as many as came, all close-on-exec
};

// One end of a connection that carries messages and descriptors: SOCK_SEQPACKET, so a message
// arrives whole or not at all. Thread-compatible. Owns its socket.
class Channel {
 public:
  Channel() = default;
  explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

  // Two connected ends, both close-on-exec and non-blocking.
  static Result<std::pair<Channel, Channel>> CreatePair();

  int fd() const { return socket_.get(); }
  explicit operator bool() const { return static_cast<bool>(socket_); }
  UniqueFd Release() { return std::move(socket_); }

  // Never waits, raises no SIGPIPE. The fds stay the caller's. Errors: kOverloaded (the peer does
  // not read: its buffer is full), kUnavailable (the peer is gone). REQUIRES: at most kMaxFds open
  // fds (kInternal where they are not).
  Result<void> Send(const Message& message, std::span<const int> fds = {}) const;

  // Never waits: nothing when no message is there. What the peer sent before it went is received
  // first. Errors: kUnavailable (the peer is gone), kCorruptData (it sent what is no message, or
  // more than kMaxFds descriptors), kOverloaded (descriptors came that we had no room for: our fd
  // limit). After the latter two the next message can be received; descriptors that came are
  // closed.
  Result<std::optional<Received>> Receive();

  // The peer has gone, and had not read all that was sent to it. Known once Receive has told that
  // it is gone.
  bool peer_left_unread() const { return peer_left_unread_; }

  // Waits until a message is there, or the peer is gone; EINTR is no reason to return. For
  // processes that have nothing else to do. Errors: kUnavailable.
  Result<void> WaitReadable() const;

 private:
  UniqueFd socket_;
  bool peer_left_unread_ = false;
};

}  // namespace holostat::ipc
