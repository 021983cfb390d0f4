#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "server/body_sink.h"
#include "server/problem.h"
#include "server/request_head.h"
#include "server/server_options.h"
#include "server/wire.h"

namespace holostat::server {

struct BodyOutcome {
  Wire::Outcome wire = Wire::Outcome::kOk;
  std::optional<Problem> problem;  // the rest of the body was not read
};

// Reads the body of a request into `sink`, within options.body_timeout for all of it. A client that
// waits for "100 Continue" gets it once there is room.
boost::asio::awaitable<BodyOutcome> ReadBody(Wire& wire, const RequestHead& head,
                                             const ServerOptions& options, BodySink& sink);

// Reads a body that nobody wants, if it is short: true when it is all gone, and the next request
// can be read.
boost::asio::awaitable<bool> DiscardBody(Wire& wire, const RequestHead& head);
// Whether DiscardBody will be tried.
bool IsShortBody(const RequestHead& head);

}  // namespace holostat::server
