#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/context.h"
#include "server/exchange.h"
#include "server/wire.h"

namespace holostat::server {

// GET /v1/events, after its head was written: what happens in the service as server-sent events,
// first the last ones, then each as it comes, with a comment now and then so that a dead connection
// shows. Ends when the client leaves, reads so slowly that more than 64 wait for it, or on drain.
boost::asio::awaitable<void> StreamEvents(Context& context, Wire& wire);

}  // namespace holostat::server
