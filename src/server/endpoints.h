#pragma once

#include "server/context.h"
#include "server/exchange.h"
#include "server/response.h"

namespace holostat::server {

// The answer of an endpoint that has it at once. REQUIRES: not kTrack, kLive or kEvents.
Response AnswerAtOnce(Context& context, Exchange& exchange);

}  // namespace holostat::server
