#pragma once

#include <optional>

#include "server/context.h"
#include "server/exchange.h"
#include "server/response.h"

namespace holostat::server {

// Decides on a request by its head alone, before a byte of its body is read or room for it is
// taken: route, method, rate, token, parameters, length and type of the body. Fills in endpoint and
// parameters. The answer, when it is refused or there is nothing more to do (OPTIONS).
std::optional<Response> Admit(Context& context, Exchange& exchange);

}  // namespace holostat::server
