#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "server/request_head.h"
#include "server/server_options.h"

namespace holostat::server {

// Whether `authorization` ("Bearer ...") carries `token`, or none is asked for (empty `token`).
// Takes as long whatever is wrong with it.
bool IsAuthorized(std::string_view authorization, std::string_view token);

// Whether the page that a browser asks from may do so: one of ours (its origin has the host that is
// asked), one of `allowed`, or no browser (no Origin). For what the same-origin policy does not
// guard: WebSockets.
bool IsOriginTrusted(const RequestHead& head, const std::vector<std::string>& allowed);

// What Access-Control-Allow-Origin is to say; empty: nothing.
std::string AllowedOrigin(std::string_view origin, const std::vector<std::string>& allowed);

// Errors: kInvalidArgument: options that contradict each other, or would let anybody in without
// having been asked to (says what to do).
Result<void> CheckExposure(const ServerOptions& options);

}  // namespace holostat::server
