#include "ipc/channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace holostat::ipc {
namespace {

// Room for the descriptors of one message, aligned as the kernel's headers in it must be.
struct Control {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(kMaxFds * sizeof(int))> bytes{};
};

// One recvmsg: its bytes, the descriptors that it opened, and the kernel's flags.
struct Datagram {
  std::array<std::byte, kMaxMessageBytes> buffer;
  std::size_t size = 0;
  int flags = 0;
  std::array<UniqueFd, kMaxFds> fds;
  std::size_t fd_count = 0;
};

// Takes ownership of every descriptor that came, so that none is left open whatever is wrong with
// the message.
void TakeFds(msghdr& header, Datagram& datagram) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t k = 0; k < count; ++k) {
      int raw = -1;
      std::memcpy(&raw, CMSG_DATA(part) + k * sizeof raw, sizeof raw);
      UniqueFd fd(raw);
      // Where kMaxFds is odd, padding leaves room for one more; `fd` closes that.
      if (datagram.fd_count == kMaxFds) continue;
      datagram.fds[datagram.fd_count++] = std::move(fd);
    }
  }
}

// 0 or an errno.
int ReceiveDatagram(int socket, Datagram& datagram) {
  Control control;
  iovec part{datagram.buffer.data(), datagram.buffer.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  const ssize_t size = ::recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0) return errno;
  datagram.size = static_cast<std::size_t>(size);
  datagram.flags = header.msg_flags;
  TakeFds(header, datagram);
  return 0;
}

Result<Received> Parse(Datagram& datagram) {
  if ((datagram.flags & MSG_TRUNC) != 0)
    return Fail(ErrorCode::kCorruptData, "a message longer than any can be");
  if ((datagram.flags & MSG_CTRUNC) != 0) {
    // The kernel does not tell why it left some out: if there was room for all that a message can
    // have, there were more.
    return datagram.fd_count == kMaxFds
               ? Fail(ErrorCode::kCorruptData, "a message with too many descriptors")
               : Fail(ErrorCode::kOverloaded,
                      "too many files are open for a message's descriptors");
  }
  auto message = HOLO_TRY(Decode(std::span(datagram.buffer).first(datagram.size)));
  return Received{std::move(message), std::move(datagram.fds)};
}

tl::unexpected<Error> SendError(int error) {
  const char* why = std::strerror(error);
  switch (error) {
    case EAGAIN:
      return Fail(ErrorCode::kOverloaded, "the peer does not read its messages");
    case ENOBUFS:
    case ENOMEM:
    case ETOOMANYREFS:  // more descriptors under way than a process may have open
      return Fail(ErrorCode::kOverloaded, fmt::format("cannot send: {}", why));
    case EPIPE:
    case ECONNREFUSED:
    case ECONNRESET:
    case ENOTCONN:
      return Fail(ErrorCode::kUnavailable, "the peer is gone");
    default:
      return Fail(ErrorCode::kInternal, fmt::format("cannot send: {}", why));
  }
}

void AttachFds(std::span<const int> fds, Control& control, msghdr& header) {
  header.msg_control = control.bytes.data();
  header.msg_controllen = CMSG_SPACE(fds.size_bytes());
  cmsghdr* part = CMSG_FIRSTHDR(&header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(fds.size_bytes());
  std::memcpy(CMSG_DATA(part), fds.data(), fds.size_bytes());
}

}  // namespace

Result<std::pair<Channel, Channel>> Channel::CreatePair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
    return Fail(ErrorCode::kOverloaded,
                fmt::format("cannot create a channel: {}", std::strerror(errno)));
  }
  return std::pair(Channel(UniqueFd(ends[0])), Channel(UniqueFd(ends[1])));
}

Result<void> Channel::Send(const Message& message, std::span<const int> fds) const {
  if (fds.size() > kMaxFds) return Fail(ErrorCode::kInternal, "too many descriptors to send");
  std::array<std::byte, kMaxMessageBytes> buffer;
  iovec part{buffer.data(), Encode(message, buffer)};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  Control control;
  if (!fds.empty()) AttachFds(fds, control, header);
  while (::sendmsg(fd(), &header, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return SendError(errno);
  }
  return {};
}

Result<std::optional<Received>> Channel::Receive() {
  Datagram datagram;
  int error = ReceiveDatagram(fd(), datagram);
  // A peer that dies with unread messages resets the connection. The kernel reports that once,
  // before what the peer sent while it lived: the answer of a worker that died after it.
  while (error == EINTR || error == ECONNRESET) {
    peer_left_unread_ = peer_left_unread_ || error == ECONNRESET;
    error = ReceiveDatagram(fd(), datagram);
  }
  if (error == EAGAIN) return std::nullopt;
  if (error == ENOMEM || error == ENOBUFS)
    return Fail(ErrorCode::kOverloaded, "no memory to receive a message");
  if (error != 0) {
    return Fail(ErrorCode::kUnavailable, fmt::format("cannot receive: {}", std::strerror(error)));
  }
  // An empty message looks like the end of the connection, and no peer of ours sends one.
  if (datagram.size == 0) return Fail(ErrorCode::kUnavailable, "the peer is gone");
  return HOLO_TRY(Parse(datagram));
}

Result<void> Channel::WaitReadable() const {
  pollfd wait{fd(), POLLIN, 0};
  while (::poll(&wait, 1, -1) < 0) {
    if (errno != EINTR)
      return Fail(ErrorCode::kUnavailable, fmt::format("cannot wait: {}", std::strerror(errno)));
  }
  if ((wait.revents & POLLNVAL) != 0) return Fail(ErrorCode::kUnavailable, "no such channel");
  return {};
}

}  // namespace holostat::ipc
