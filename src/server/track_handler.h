#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "server/body_sink.h"
#include "server/context.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/wire.h"

namespace holostat::server {

// POST /v1/track, from the head on: reads the body into slots, has workers track it, and makes the
// answer. When the client leaves meanwhile everything is dropped at once, and there is none.
//
// `body_read`: whether the whole body was used up; else the connection cannot go on.
boost::asio::awaitable<std::optional<Response>> Track(Context& context, Wire& wire,
                                                      Exchange& exchange, bool& body_read);

}  // namespace holostat::server
