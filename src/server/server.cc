#include "server/server.h"

#include <fmt/format.h>
#include <signal.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <vector>

#include "runtime/signal_watch.h"
#include "server/auth.h"
#include "server/context.h"
#include "server/listener.h"
#include "server/live_server.h"
#include "server/routes.h"
#include "server/tls.h"

namespace holostat::server {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kHeartbeat(1), kAbortPatience(2);

std::vector<std::string> RouteNames() {
  std::vector<std::string> names;
  while (!StatsName(names.size()).empty()) names.emplace_back(StatsName(names.size()));
  return names;
}

class AsioServer final : public Server {
 public:
  AsioServer(const Clock& clock, runtime::Supervisor& supervisor, const ServerOptions& options,
             Hooks hooks)
      : options_(options),
        hooks_(std::move(hooks)),
        limiter_(clock, {options.requests_per_second, options.request_burst, options.rate_clients}),
        metrics_(RouteNames()),
        context_{clock, supervisor, options_, hooks_, stats_, limiter_, metrics_},
        live_(supervisor, stats_, options_),
        supervisor_fd_(io_),
        heartbeat_(io_),
        drain_deadline_(io_) {}

  // The descriptor is the supervisor's.
  ~AsioServer() override { supervisor_fd_.release(); }

  Result<void> Begin();

  std::uint16_t port() const override { return port_; }
  std::string url() const override;
  void Run() override;
  void Stop() override {
    asio::post(io_, [this] { BeginDrain(); });
  }
  const HttpStats& stats() const override { return stats_; }

 private:
  LiveHandler LiveSessions() {
    return [this](Context& context, LiveUpgrade upgrade) {
      return live_.Serve(context, std::move(upgrade));
    };
  }
  awaitable<void> StepSupervisor();
  awaitable<void> Beat();
  void TellState();
  void OnSignal(int signal);
  void BeginDrain();
  void End();

  ServerOptions options_;
  Hooks hooks_;
  HttpStats stats_;
  RateLimiter limiter_;
  MetricsPage metrics_;
  Context context_;
  LiveServer live_;
  asio::io_context io_{1};  // one thread: no locks
  asio::posix::stream_descriptor supervisor_fd_;
  asio::steady_timer heartbeat_, drain_deadline_;
  std::unique_ptr<asio::ssl::context> tls_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<runtime::SignalWatch> signals_;
  std::uint16_t port_ = 0;
  bool was_ready_ = false, ended_ = false;
};

Result<void> AsioServer::Begin() {
  HOLO_TRY(CheckExposure(options_));
  if (!options_.tls_certificate.empty())
    tls_ = HOLO_TRY(LoadTls(options_.tls_certificate, options_.tls_key));
  listener_ = HOLO_TRY(Listener::Create(io_, {context_, LiveSessions(), tls_.get()}));
  port_ = listener_->port();
  boost::system::error_code error;
  supervisor_fd_.assign(context_.supervisor.loop().fd(), error);
  if (error)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot watch the supervisor's loop: {}", error.message()));
  return {};
}

std::string AsioServer::url() const {
  const bool v6 = options_.address.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", tls_ ? "https" : "http", v6 ? "[" : "", options_.address,
                     v6 ? "]" : "", port_);
}

void AsioServer::Run() {
  auto signals = runtime::SignalWatch::Create(context_.supervisor.loop(), {SIGINT, SIGTERM, SIGHUP},
                                              [this](int signal) { OnSignal(signal); });
  // Without a descriptor for them signals do what they do by default: the service ends.
  if (signals) signals_ = *std::move(signals);
  listener_->OnAllClosed([this] {
    if (context_.draining) End();
  });
  asio::co_spawn(io_, listener_->Run(), asio::detached);
  asio::co_spawn(io_, StepSupervisor(), asio::detached);
  asio::co_spawn(io_, Beat(), asio::detached);
  io_.run();
  signals_.reset();
}

// The supervisor's loop inside ours: its descriptor is readable whenever it has something to do.
awaitable<void> AsioServer::StepSupervisor() {
  while (!ended_) {  // a signal that ends us is met inside Step
    const auto [error] =
        co_await supervisor_fd_.async_wait(asio::posix::stream_descriptor::wait_read, kAwait);
    if (error) co_return;
    context_.supervisor.loop().Step(std::chrono::milliseconds(0));
    TellState();
  }
}

awaitable<void> AsioServer::Beat() {
  while (!ended_) {
    if (hooks_.heartbeat) hooks_.heartbeat(was_ready_, context_.draining);
    heartbeat_.expires_after(kHeartbeat);
    const auto [error] = co_await heartbeat_.async_wait(kAwait);
    if (error) co_return;
  }
}

void AsioServer::TellState() {
  const bool ready = context_.IsReady();
  if (ready == was_ready_) return;
  was_ready_ = ready;
  if (hooks_.heartbeat) hooks_.heartbeat(ready, context_.draining);
}

void AsioServer::OnSignal(int signal) {
  if (signal != SIGHUP) return BeginDrain();
  if (hooks_.reload) hooks_.reload();
  context_.supervisor.Reload("SIGHUP");
}

void AsioServer::BeginDrain() {
  if (context_.draining) return;
  context_.draining = true;
  was_ready_ = false;
  if (hooks_.heartbeat) hooks_.heartbeat(false, true);
  context_.on_drain.Notify();
  listener_->Drain();
  if (listener_->connections() == 0) return End();
  drain_deadline_.expires_after(options_.drain_timeout);
  drain_deadline_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    listener_->AbortAll();
    // A live session that does not end even now is not waited for.
    drain_deadline_.expires_after(kAbortPatience);
    drain_deadline_.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) io_.stop();
    });
  });
}

// Nothing is left to do once what waits is woken.
void AsioServer::End() {
  ended_ = true;
  heartbeat_.cancel();
  drain_deadline_.cancel();
  supervisor_fd_.cancel();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Create(const Clock& clock, runtime::Supervisor& supervisor,
                                               const ServerOptions& options, Hooks hooks) {
  auto server = std::make_unique<AsioServer>(clock, supervisor, options, std::move(hooks));
  HOLO_TRY(server->Begin());
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace holostat::server
