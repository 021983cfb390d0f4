#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <string>

#include "server/context.h"
#include "server/exchange.h"
#include "server/live_handler.h"
#include "server/response.h"
#include "server/wire.h"

namespace holostat::server {

// One client's connection: requests one after the other, each answered before the next is looked
// at. Bound to one thread; lives until its Run has returned.
class Connection {
 public:
  // `context` and `live` outlive it; an empty `live` has no sessions.
  Connection(Context& context, const LiveHandler& live, Stream stream, std::string client);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  boost::asio::awaitable<void> Run();

  // No further request: closes at once when none is on the way, else after its answer.
  void Drain();
  // Drops it, whatever is on the way.
  void Abort();
  boost::asio::cancellation_slot slot() { return abort_.slot(); }  // for who spawns Run

 private:
  using Outcome = Wire::Outcome;

  boost::asio::awaitable<bool> ServeOne();  // false: the connection is to be closed
  boost::asio::awaitable<Outcome> ReadHeadBytes(std::size_t& size, std::optional<Problem>& problem);
  boost::asio::awaitable<std::optional<Response>> Answer(Exchange& exchange, bool& body_read);
  boost::asio::awaitable<bool> Send(Exchange& exchange, Response response, bool keep_alive);
  boost::asio::awaitable<void> RefuseHead(Exchange& exchange, const Problem& problem);
  boost::asio::awaitable<void> SendEvents(Exchange& exchange);
  boost::asio::awaitable<void> HandOver(Exchange exchange, std::string head);
  void Finish(const Exchange& exchange);

  Context& context_;
  const LiveHandler& live_;
  Wire wire_;
  std::string client_;
  boost::asio::cancellation_signal abort_;
  bool handed_over_ = false;  // the stream is the live session's
  bool idle_ = true;          // no request is on the way
  std::uint64_t bytes_in_before_ = 0, bytes_out_before_ = 0;
};

}  // namespace holostat::server
