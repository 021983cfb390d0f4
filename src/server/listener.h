#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "server/connection.h"
#include "server/context.h"

namespace holostat::server {

// Takes connections in, within the limits on their number, and knows those that are open. One over
// a limit is closed at once. Bound to one thread; outlives its connections.
class Listener {
 public:
  struct Setup {
    Context& context;
    LiveHandler live;
    boost::asio::ssl::context* tls = nullptr;  // not owned; null: plain
  };
  // Errors: kInvalidArgument (no address), kUnavailable (cannot listen there).
  static Result<std::unique_ptr<Listener>> Create(boost::asio::io_context& io, Setup setup);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const;
  boost::asio::awaitable<void> Run();  // until Close

  // No new connections; idle ones are closed, others after their answers.
  void Drain();
  void AbortAll();
  std::size_t connections() const { return open_.size(); }
  void OnAllClosed(std::function<void()> callback) { on_all_closed_ = std::move(callback); }

 private:
  Listener(boost::asio::io_context& io, Setup setup)
      : io_(io), setup_(std::move(setup)), acceptor_(io) {}
  Result<void> Listen();
  void Admit(boost::asio::ip::tcp::socket socket);
  boost::asio::awaitable<void> Serve(std::shared_ptr<Connection> connection, std::string client);
  void Close(Connection* connection, const std::string& client);

  boost::asio::io_context& io_;
  Setup setup_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::set<Connection*> open_;                     // at most max_connections
  std::map<std::string, std::size_t> per_client_;  // of these; at most as many
  std::function<void()> on_all_closed_;
};

}  // namespace holostat::server
