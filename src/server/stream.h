#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <memory>
#include <optional>
#include <utility>

namespace holostat::server {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

// A client's connection, plain or TLS: one type, so that what talks over it is compiled once. An
// AsyncStream of Asio and Beast: `boost::beast::websocket::stream<Stream>` works. Movable.
class Stream {
 public:
  using Tls = asio::ssl::stream<Tcp::socket>;
  using executor_type = Tcp::socket::executor_type;
  using next_layer_type = Tcp::socket;
  using lowest_layer_type = Tcp::socket::lowest_layer_type;

  explicit Stream(Tcp::socket socket) : plain_(std::move(socket)) {}
  // `context` outlives the stream.
  Stream(Tcp::socket socket, asio::ssl::context& context)
      : tls_(std::make_unique<Tls>(std::move(socket), context)) {}

  bool is_tls() const { return tls_ != nullptr; }
  Tls* tls() { return tls_.get(); }  // null when plain
  Tcp::socket& socket() { return tls_ ? tls_->next_layer() : *plain_; }
  Tcp::socket& next_layer() { return socket(); }
  const Tcp::socket& next_layer() const { return tls_ ? tls_->next_layer() : *plain_; }
  lowest_layer_type& lowest_layer() { return socket().lowest_layer(); }
  executor_type get_executor() { return socket().get_executor(); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Buffers& into) {
          if (tls_) {
            tls_->async_read_some(into, std::move(handler));
          } else {
            plain_->async_read_some(into, std::move(handler));
          }
        },
        token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Buffers& from) {
          if (tls_) {
            tls_->async_write_some(from, std::move(handler));
          } else {
            plain_->async_write_some(from, std::move(handler));
          }
        },
        token, buffers);
  }

  // How Beast closes the connection below a WebSocket: found by its name.
  friend void teardown(boost::beast::role_type role, Stream& stream,
                       boost::system::error_code& error) {
    using boost::beast::websocket::teardown;
    if (stream.tls_) {
      teardown(role, *stream.tls_, error);
    } else {
      teardown(role, *stream.plain_, error);
    }
  }
  template <class Handler>
  friend void async_teardown(boost::beast::role_type role, Stream& stream, Handler&& handler) {
    using boost::beast::websocket::async_teardown;
    if (stream.tls_) {
      async_teardown(role, *stream.tls_, std::forward<Handler>(handler));
    } else {
      async_teardown(role, *stream.plain_, std::forward<Handler>(handler));
    }
  }
  friend void beast_close_socket(Stream& stream) {
    boost::system::error_code ignored;  // it is closed either way
    stream.socket().close(ignored);
  }

 private:
  std::optional<Tcp::socket> plain_;
  std::unique_ptr<Tls> tls_;
};

}  // namespace holostat::server
