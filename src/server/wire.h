#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/stream.h"

namespace holostat::server {

// A client's connection as coroutines: bytes in, bytes out, and a deadline over whatever is going
// on. Bound to one thread; the coroutines of one wire do not overlap, but for UntilGone.
class Wire {
 public:
  enum class Outcome { kOk = 1, kClosed, kTimeout };

  explicit Wire(Stream stream);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  // From now on, until the next Arm: what is not done by then ends with kTimeout. This is a
  // deadline of the whole, however many reads it takes.
  void Arm(std::chrono::milliseconds limit);
  void Disarm();

  asio::awaitable<Outcome> Handshake();  // of TLS; kOk at once when plain
  // Until there is something to read; holds no buffer meanwhile (TLS: a small one).
  asio::awaitable<Outcome> AwaitBytes();
  // Reads into buffer(), at most up to `max_bytes` of it.
  asio::awaitable<Outcome> Fill(std::size_t max_bytes);
  // Reads into `room` until it is full, first what is in the buffer.
  asio::awaitable<Outcome> ReadFully(asio::mutable_buffer room, std::size_t& read);
  asio::awaitable<Outcome> Write(std::string_view first, std::string_view second = {});

  // Returns when the client has left, and only then (or when cancelled). One that has closed its
  // sending side may still read: it is asked with an interim answer ("100 Continue"), to which the
  // system of one that is gone replies with a reset. Meanwhile up to `max_bytes` of the next
  // requests are taken into the buffer.
  asio::awaitable<void> UntilGone(std::size_t max_bytes, bool may_probe);

  // Says that nothing more comes, and reads what does until the client closes as well or `limit`:
  // closing at once would destroy an answer that is still on its way (RFC 9112, 9.6).
  asio::awaitable<void> LingeringClose(std::chrono::milliseconds limit);
  void Abort();  // drops the connection: whatever waits on it ends with kClosed

  std::string& buffer() { return buffer_; }  // bytes read and not used yet
  void Consume(std::size_t bytes);           // from the front; gives memory back when empty
  Stream& stream() { return stream_; }

  std::uint64_t bytes_in() const { return bytes_in_; }
  std::uint64_t bytes_out() const { return bytes_out_; }

 private:
  void ExpireWhenDue(std::uint64_t number);
  Outcome OutcomeOf(const boost::system::error_code& error) const;

  Stream stream_;
  std::string buffer_;
  asio::steady_timer deadline_;
  // Shared with the timer's callback, which may run after the wire is gone.
  std::shared_ptr<bool> alive_;
  std::uint64_t armed_ = 0;
  bool timed_out_ = false;
  std::uint64_t bytes_in_ = 0, bytes_out_ = 0;
};

}  // namespace holostat::server
