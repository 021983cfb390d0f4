#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/latency_histogram.h"

namespace holostat::server {

// What the server counts; rendered by metrics.h and the endurance panel. Bound to one thread. All
// of a fixed size.
struct HttpStats {
  // One line of routes.h each, and one for what has no route.
  static constexpr std::size_t kMaxRoutes = 32;
  // Statuses are counted one by one where they are ours, else under `other`.
  static constexpr std::array<int, 22> kStatuses{101, 200, 204, 304, 400, 401, 403, 404,
                                                 405, 408, 411, 413, 414, 415, 417, 422,
                                                 426, 429, 431, 500, 503, 504};

  struct Route {
    std::array<std::uint64_t, kStatuses.size()> by_status{};
    std::uint64_t other = 0;
    LatencyHistogram latency;  // first byte of the request -> last byte of the answer
  };
  std::array<Route, kMaxRoutes> routes{};

  std::uint64_t connections_total = 0;
  std::uint64_t connections_refused = 0;  // over a limit
  std::uint64_t connections = 0;          // open now
  std::uint64_t clients_gone = 0;         // in the middle of a request
  std::uint64_t timeouts = 0;             // of header, body or answer
  std::uint64_t rate_limited = 0;
  std::uint64_t unauthorized = 0;
  std::uint64_t bytes_in = 0, bytes_out = 0;

  // Of tracked pictures and live frames.
  LatencyHistogram queue, decode, inference, encode;

  std::uint64_t live_sessions = 0;  // now
  std::uint64_t live_sessions_total = 0;
  std::uint64_t live_frames = 0, live_dropped = 0;
  std::uint64_t event_streams = 0;  // now

  void CountStatus(std::size_t route, int status);
};

}  // namespace holostat::server
