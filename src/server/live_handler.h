#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "server/context.h"
#include "server/exchange.h"
#include "server/stream.h"

namespace holostat::server {

// An upgrade request to /v1/live that was let in: token, rate, origin and parameters are checked.
struct LiveUpgrade {
  Stream stream;      // the handler's own from here on
  std::string head;   // the request as it came, up to and with the empty line: for Beast's parser
  Exchange exchange;  // `parameters`, `request_id` and `client` are what matters
};

// Accepts the WebSocket and serves the session until it ends; then the stream is closed. Runs
// inside the connection, which counts it against its limits. Ends soon after context.on_drain.
// While it runs it owns stats.live_*; max_live_sessions is checked before it is called, with
// live_sessions.
using LiveHandler = std::function<boost::asio::awaitable<void>(Context&, LiveUpgrade)>;

}  // namespace holostat::server
