#include "server/live_server.h"

#include <memory>
#include <random>
#include <utility>

#include "server/live_connection.h"

namespace holostat::server {

// Numbers of sessions differ from those of an earlier life of the service: a log may hold both.
LiveServer::LiveServer(runtime::Supervisor& supervisor, HttpStats& stats,
                       const ServerOptions& options)
    : supervisor_(supervisor),
      stats_(stats),
      options_(options),
      next_id_((std::uint64_t{std::random_device()()} << 32) + 1) {}

LiveServer::~LiveServer() = default;

asio::awaitable<void> LiveServer::Serve(Context& context, LiveUpgrade upgrade) {
  const auto connection = std::make_shared<LiveConnection>(
      *this, std::move(upgrade.stream), next_id_++, OptionsOf(upgrade.exchange.parameters));
  // Without a place among the listeners the session is ended by the drain's deadline.
  const auto drain = context.on_drain.Add(
      [&connection] { connection->Close(LiveClose::kGoingAway, "the server is going away"); });
  co_await connection->Run(upgrade.head, upgrade.exchange.head.subprotocols);
}

}  // namespace holostat::server
