#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/observers.h"
#include "runtime/supervisor.h"
#include "server/http_stats.h"
#include "server/metrics.h"
#include "server/rate_limiter.h"
#include "server/server.h"
#include "server/server_options.h"

namespace holostat::server {

// What all connections of a server share. Bound to its thread; outlives every connection.
struct Context {
  // Live sessions and event streams, which end when the server drains, listen to `on_drain`.
  static constexpr std::size_t kMaxDrainListeners = 4096;

  const Clock& clock;
  runtime::Supervisor& supervisor;
  const ServerOptions& options;
  const Server::Hooks& hooks;
  HttpStats& stats;
  RateLimiter& limiter;
  MetricsPage& metrics;
  bool draining = false;
  Observers<> on_drain{kMaxDrainListeners};

  bool IsReady() const { return !draining && supervisor.pool().ready_workers() > 0; }
};

}  // namespace holostat::server
