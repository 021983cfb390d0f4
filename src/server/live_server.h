#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>

#include "runtime/supervisor.h"
#include "server/http_stats.h"
#include "server/live_handler.h"
#include "server/server_options.h"

namespace holostat::server {

class LiveConnection;

// All live sessions, at most ServerOptions::max_live_sessions. Bound to the supervisor's thread.
class LiveServer {
 public:
  // All references outlive it.
  LiveServer(runtime::Supervisor& supervisor, HttpStats& stats, const ServerOptions& options);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // A LiveHandler.
  boost::asio::awaitable<void> Serve(Context& context, LiveUpgrade upgrade);

  // Bytes that sessions hold for frames that come in or wait; bounded by kMaxBufferBytes.
  std::size_t buffer_bytes() const { return buffer_bytes_; }
  static constexpr std::size_t kMaxBufferBytes = 128u << 20;

 private:
  friend class LiveConnection;

  runtime::Supervisor& supervisor_;
  HttpStats& stats_;
  const ServerOptions& options_;
  std::size_t buffer_bytes_ = 0;
  std::uint64_t next_id_;
};

}  // namespace holostat::server
