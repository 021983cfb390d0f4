#pragma once

#include <string>
#include <string_view>

namespace holostat::server {

// A browser can set no header of a WebSocket but the subprotocols that it offers. Those of
// /v1/live: "holostat.v1", and "holostat.bearer." with the token behind it in base64url (RFC 4648,
// 5), by which a page hands it over. `offered` is the field Sec-WebSocket-Protocol.
inline constexpr std::string_view kLiveSubprotocol = "holostat.v1";

bool OffersLiveSubprotocol(std::string_view offered);

// "Bearer <token>", as in the field Authorization; empty when none is offered or it is no
// base64url.
std::string LiveAuthorization(std::string_view offered);

}  // namespace holostat::server
