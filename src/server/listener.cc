#include "server/listener.h"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace holostat::server {
namespace {

using boost::asio::awaitable;
using boost::system::error_code;
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
// When no descriptor is left: until then some connection may have ended.
constexpr std::chrono::milliseconds kAcceptPause(100);

}  // namespace

Result<std::unique_ptr<Listener>> Listener::Create(asio::io_context& io, Setup setup) {
  std::unique_ptr<Listener> listener(new Listener(io, std::move(setup)));
  HOLO_TRY(listener->Listen());
  return listener;
}

Result<void> Listener::Listen() {
  const ServerOptions& options = setup_.context.options;
  error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error)
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{} is no IP address", options.address));
  const Tcp::endpoint endpoint(address, options.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot listen on {} port {}: {}", options.address, options.port,
                            error.message()));
  return {};
}

std::uint16_t Listener::port() const { return acceptor_.local_endpoint().port(); }

awaitable<void> Listener::Run() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kAwait);
    if (!error) {
      try {
        Admit(std::move(socket));
      } catch (const std::exception&) {
        ++setup_.context.stats.connections_refused;  // no memory for it: it is closed
      }
    } else if (error == asio::error::operation_aborted) {
      co_return;
    } else if (error != asio::error::connection_aborted) {
      asio::steady_timer pause(io_, kAcceptPause);
      co_await pause.async_wait(kAwait);
    }
  }
}

void Listener::Admit(Tcp::socket socket) {
  HttpStats& stats = setup_.context.stats;
  const ServerOptions& options = setup_.context.options;
  error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;  // gone already
  std::string client = peer.address().to_string();
  const auto known = per_client_.find(client);
  if (open_.size() >= options.max_connections ||
      (known != per_client_.end() && known->second >= options.max_connections_per_client)) {
    ++stats.connections_refused;
    return;
  }
  // Without it an answer in two parts waits for the client's acknowledgement of the first.
  socket.set_option(Tcp::no_delay(true), error);
  Stream stream =
      setup_.tls != nullptr ? Stream(std::move(socket), *setup_.tls) : Stream(std::move(socket));
  auto connection =
      std::make_shared<Connection>(setup_.context, setup_.live, std::move(stream), client);
  const auto own = per_client_.try_emplace(client, 0).first;
  open_.insert(connection.get());
  ++own->second;
  ++stats.connections_total;
  stats.connections = open_.size();
  const auto slot = connection->slot();
  asio::co_spawn(io_, Serve(std::move(connection), std::move(client)),
                 asio::bind_cancellation_slot(slot, asio::detached));
}

awaitable<void> Listener::Serve(std::shared_ptr<Connection> connection, std::string client) {
  try {
    co_await connection->Run();
  } catch (const std::exception&) {
    // Of a library, for want of memory or when the loop ends: this connection ends with it.
  }
  Close(connection.get(), client);
}

void Listener::Close(Connection* connection, const std::string& client) {
  open_.erase(connection);
  const auto count = per_client_.find(client);
  if (--count->second == 0) per_client_.erase(count);
  setup_.context.stats.connections = open_.size();
  if (open_.empty() && on_all_closed_) on_all_closed_();
}

void Listener::Drain() {
  error_code ignored;  // it is closed either way
  acceptor_.close(ignored);
  for (Connection* connection : open_) connection->Drain();
}

void Listener::AbortAll() {
  for (Connection* connection : open_) connection->Abort();
}

}  // namespace holostat::server
