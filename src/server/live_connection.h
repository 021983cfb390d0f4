#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/live_server.h"
#include "server/live_session.h"
#include "server/stream.h"

namespace holostat::server {

// The socket of a live session: reads messages into it, writes its answers, ends it when it is
// idle. Bound to one thread.
class LiveConnection : public std::enable_shared_from_this<LiveConnection> {
 public:
  // `server` outlives it.
  LiveConnection(LiveServer& server, Stream stream, std::uint64_t id, const LiveOptions& options);
  ~LiveConnection();

  // `head` is the upgrade request as it came, `subprotocols` what it offers.
  boost::asio::awaitable<void> Run(std::string_view head, std::string_view subprotocols);
  void Close(LiveClose code, std::string_view why);

 private:
  using WebSocket = boost::beast::websocket::stream<Stream>;
  // Messages that wait to be sent: a client that asks on and never reads is let go.
  static constexpr std::size_t kMaxOutbox = 64;

  struct Ending {
    LiveClose code;
    std::string why;
  };

  boost::asio::awaitable<bool> Accept(std::string_view head, bool has_subprotocol);
  boost::asio::awaitable<void> Read();
  boost::asio::awaitable<void> Write();
  boost::asio::awaitable<void> SendClose();
  std::optional<Ending> MakeRoom(std::size_t used);
  std::size_t MostBytes() const;
  void OnMessage(std::size_t bytes);
  void CountBuffers();
  void Queue(LiveMessage message);
  void ArmIdle();
  void ArmWrite(std::chrono::milliseconds limit);
  void Shut();

  LiveServer& server_;
  WebSocket socket_;
  LiveSession session_;
  std::vector<std::byte> buffer_;  // a message that comes in
  std::size_t counted_bytes_ = 0;  // of server_.buffer_bytes_
  std::deque<LiveMessage> outbox_;
  std::optional<Ending> ending_;
  bool shut_ = false;
  // End what is under way on the socket. Closing that is not enough: when a bad frame comes while a
  // close is being sent, Beast's read waits for its close and the close for the read.
  boost::asio::cancellation_signal end_read_, end_close_;
  boost::asio::steady_timer wake_, idle_, write_deadline_;
};

}  // namespace holostat::server
