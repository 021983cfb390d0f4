#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "runtime/supervisor.h"
#include "server/http_stats.h"
#include "server/request_log.h"
#include "server/server_options.h"

namespace holostat::server {

// The network side of a service: HTTP and WebSocket in front of a supervisor, on one thread, that
// of Run. No picture is decoded here: bodies go straight into slots.
class Server {
 public:
  struct Hooks {
    RequestLogger log;             // may be empty
    std::function<void()> reload;  // SIGHUP, before the supervisor is told; may be empty
    // Every second and at each change of state: for sd_notify. May be empty.
    std::function<void(bool ready, bool draining)> heartbeat;
    // For the metrics: lines of the log that nobody took. May be empty.
    std::function<std::uint64_t()> log_lines_dropped = {};
  };

  // Listens from here on; answers once Run is called. `supervisor` and `clock` outlive it. Errors:
  // kInvalidArgument (options that contradict each other, an address that is none), kUnavailable
  // (the port is taken), kNotFound and kCorruptData (certificate, key).
  static Result<std::unique_ptr<Server>> Create(const Clock& clock, runtime::Supervisor& supervisor,
                                                const ServerOptions& options, Hooks hooks);
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  virtual std::uint16_t port() const = 0;
  virtual std::string url() const = 0;  // "http://127.0.0.1:8080"

  // Serves until SIGTERM or SIGINT, or Stop; then drains: no new connections, /readyz says 503,
  // requests on the way are finished within drain_timeout, and all connections are closed. The
  // supervisor is not stopped. SIGHUP reloads.
  virtual void Run() = 0;
  virtual void Stop() = 0;

  virtual const HttpStats& stats() const = 0;

 protected:
  Server() = default;
};

}  // namespace holostat::server
