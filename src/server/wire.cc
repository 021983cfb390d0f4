#include "server/wire.h"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstring>

namespace holostat::server {
namespace {

using boost::system::error_code;
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kReadBytes = 16u << 10;
constexpr std::string_view kProbe = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::chrono::milliseconds kCancelAgain(50);
constexpr std::chrono::seconds kProbeTimeout(5);

}  // namespace

Wire::Wire(Stream stream)
    : stream_(std::move(stream)),
      deadline_(stream_.get_executor()),
      alive_(std::make_shared<bool>(true)) {}

Wire::~Wire() { *alive_ = false; }

void Wire::Arm(std::chrono::milliseconds limit) {
  timed_out_ = false;
  deadline_.expires_after(limit);
  ExpireWhenDue(++armed_);
}

// Again and again: what is made of several steps may be between two of them, where there is nothing
// to cancel, and would go on.
void Wire::ExpireWhenDue(std::uint64_t number) {
  deadline_.async_wait([this, alive = alive_, number](const error_code& error) {
    // An expiry may be on its way already when the next deadline is set.
    if (error || !*alive || number != armed_) return;
    timed_out_ = true;
    error_code ignored;  // nothing is waiting then
    stream_.socket().cancel(ignored);
    deadline_.expires_after(kCancelAgain);
    ExpireWhenDue(number);
  });
}

void Wire::Disarm() {
  ++armed_;
  timed_out_ = false;
  deadline_.cancel();
}

Wire::Outcome Wire::OutcomeOf(const error_code& error) const {
  if (timed_out_) return Outcome::kTimeout;
  return error ? Outcome::kClosed : Outcome::kOk;
}

asio::awaitable<Wire::Outcome> Wire::Handshake() {
  if (!stream_.is_tls()) co_return Outcome::kOk;
  const auto [error] = co_await stream_.tls()->async_handshake(Stream::Tls::server, kAwait);
  co_return OutcomeOf(error);
}

asio::awaitable<Wire::Outcome> Wire::AwaitBytes() {
  if (!buffer_.empty()) co_return Outcome::kOk;
  if (!stream_.is_tls()) {
    const auto [error] = co_await stream_.socket().async_wait(Tcp::socket::wait_read, kAwait);
    co_return OutcomeOf(error);
  }
  std::array<char, 256> first;
  const auto [error, count] = co_await stream_.async_read_some(asio::buffer(first), kAwait);
  buffer_.append(first.data(), count);
  bytes_in_ += count;
  co_return OutcomeOf(error);
}

asio::awaitable<Wire::Outcome> Wire::Fill(std::size_t max_bytes) {
  if (timed_out_) co_return Outcome::kTimeout;
  const std::size_t have = buffer_.size();
  const std::size_t room = std::min(kReadBytes, max_bytes - std::min(max_bytes, have));
  if (room == 0) co_return Outcome::kOk;
  buffer_.resize(have + room);
  const auto [error, count] =
      co_await stream_.async_read_some(asio::buffer(buffer_.data() + have, room), kAwait);
  buffer_.resize(have + count);
  bytes_in_ += count;
  co_return OutcomeOf(error);
}

asio::awaitable<Wire::Outcome> Wire::ReadFully(asio::mutable_buffer room, std::size_t& read) {
  read = std::min(buffer_.size(), room.size());
  std::memcpy(room.data(), buffer_.data(), read);
  Consume(read);
  while (read < room.size()) {
    if (timed_out_) co_return Outcome::kTimeout;
    const auto [error, count] = co_await stream_.async_read_some(room + read, kAwait);
    read += count;
    bytes_in_ += count;
    if (error) co_return OutcomeOf(error);
  }
  co_return Outcome::kOk;
}

asio::awaitable<Wire::Outcome> Wire::Write(std::string_view first, std::string_view second) {
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(first.data(), first.size()),
                                                  asio::buffer(second.data(), second.size())};
  const auto [error, count] = co_await asio::async_write(stream_, buffers, kAwait);
  bytes_out_ += count;
  co_return OutcomeOf(error);
}

asio::awaitable<void> Wire::UntilGone(std::size_t max_bytes, bool may_probe) {
  std::array<char, 1024> more;
  bool ended = false;
  while (!ended && buffer_.size() < max_bytes) {
    const std::size_t room = std::min(more.size(), max_bytes - buffer_.size());
    const auto [error, count] =
        co_await stream_.async_read_some(asio::buffer(more.data(), room), kAwait);
    buffer_.append(more.data(), count);
    bytes_in_ += count;
    ended = error == asio::error::eof || error == asio::ssl::error::stream_truncated;
    if (error && !ended) co_return;
  }
  if (ended && may_probe) {
    // Half of it would spoil the answer. That the answer is there meanwhile must not be forgotten.
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation(),
                                                       asio::disable_cancellation());
    Arm(kProbeTimeout);
    const Outcome sent = co_await Write(kProbe);
    Disarm();
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
    co_await asio::this_coro::reset_cancellation_state();
    if (sent != Outcome::kOk) co_return;  // it reads nothing: its answer would go nowhere
  }
  // A reset is an error condition; the arrival of bytes or an orderly end are none.
  co_await stream_.socket().async_wait(Tcp::socket::wait_error, kAwait);
}

asio::awaitable<void> Wire::LingeringClose(std::chrono::milliseconds limit) {
  Arm(limit);
  if (stream_.is_tls()) co_await stream_.tls()->async_shutdown(kAwait);
  error_code error;
  stream_.socket().shutdown(Tcp::socket::shutdown_send, error);
  std::array<char, 4096> discarded;
  while (!error && !timed_out_) {
    const auto [failed, count] =
        co_await stream_.socket().async_read_some(asio::buffer(discarded), kAwait);
    error = failed;
    bytes_in_ += count;
  }
}

void Wire::Abort() {
  error_code ignored;  // it is closed either way
  stream_.socket().close(ignored);
}

void Wire::Consume(std::size_t bytes) {
  buffer_.erase(0, bytes);
  if (buffer_.empty()) std::string().swap(buffer_);
}

}  // namespace holostat::server
