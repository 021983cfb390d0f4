#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "server/problem.h"

namespace holostat::server {

// How the bytes after the head are told apart from the next request.
enum class Framing { kNoBody = 1, kLength, kChunked };

// What we look at of a request's head; all else of it is checked and then ignored.
struct RequestHead {
  std::string method;
  std::string path;   // of the target, as sent; starts with '/', or "*"
  std::string query;  // behind the '?', as sent
  bool http_1_1 = false;
  bool keep_alive = false;
  Framing framing = Framing::kNoBody;
  bool has_length = false;           // Content-Length was given
  std::uint64_t content_length = 0;  // kLength
  bool expects_continue = false;
  bool wants_websocket = false;

  std::string host, authorization, origin, content_type, accept_encoding, if_none_match, request_id;
  std::string subprotocols;  // Sec-WebSocket-Protocol
  // Of a preflight (CORS).
  std::string asks_for_method;
};

// How far a head has come in. `scanned` is where to go on, kept between calls (0 at first).
enum class HeadProgress { kMore = 1, kComplete, kBad };
// Looks for the empty line. kComplete: the head is the first `scanned` bytes. kBad as soon as a
// line does not end in CRLF: to wait for more would let a client hold us with what can never be
// right.
HeadProgress ScanHead(std::string_view bytes, std::size_t& scanned);

inline constexpr std::size_t kMaxHeaderFields = 100;
inline constexpr std::size_t kMaxTargetBytes = 4096;

// Reads a head that ScanHead has found. Stricter than the standard asks for: what two programs
// might read as different requests is refused (docs/http.md, "What is refused"). Problems: 400,
// 414, 417, 431; the connection must be closed then.
tl::expected<RequestHead, Problem> ReadHead(std::string_view head);

}  // namespace holostat::server
