#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "server/request_head.h"
#include "server/routes.h"

namespace holostat::server {

// One request and what becomes of it, for its handler and for the log.
struct Exchange {
  RequestHead head;
  std::string request_id;  // the client's, where it is fit to be said again; else made
  std::string client;      // address
  Endpoint endpoint = Endpoint::kNone;
  Parameters parameters;
  SteadyTime started{};

  // Filled on the way.
  int status = 0;  // 0: the client was gone
  std::uint32_t worker_id = 0, attempts = 0;
  std::string error;
};

// The id to use for a request: `given` when it is 1 to 64 of [A-Za-z0-9._-], else a random one.
std::string RequestIdOf(std::string_view given);

}  // namespace holostat::server
