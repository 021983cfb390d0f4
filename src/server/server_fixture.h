#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/sanitizers.h"
#include "runtime/supervisor.h"
#include "server/server.h"
#include "server/test_client.h"

namespace holostat::server {

// A server on a free port of the loopback in front of workers that answer a line reversed
// (tests/children/echo_zygote.cc), in a thread of its own. Ends with nothing left, or the test
// fails.
class ServerFixture : public testing::Test {
 protected:
  static constexpr std::chrono::milliseconds kPatience{30000};

  ServerFixture() {
    setup_.zygote = {HOLOSTAT_ECHO_ZYGOTE, {}};
    setup_.models = ipc::ModelBit(ipc::Complexity::kLite) | ipc::ModelBit(ipc::Complexity::kFull);
    setup_.pool.workers = 1;
    setup_.pool.start_timeout = kPatience;
    options_.port = 0;
  }
  ~ServerFixture() override { StopServer(); }

  void Start() {
    supervisor_ = runtime::Supervisor::Start(clock_, setup_).value();
    ASSERT_TRUE(supervisor_->WaitUntilReady(kPatience));
    hooks_.log = [this](const RequestLogEntry& entry) {
      log_ += fmt::format("{} {} {}\n", entry.method, entry.path, entry.status);
    };
    auto server = Server::Create(clock_, *supervisor_, options_, hooks_);
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    worker_ = supervisor_->pool().workers().front()->pid();
    thread_ = std::thread([this] {
      server_->Run();
      ended_ = true;
    });
  }

  void StopServer() {
    if (worker_ != 0) ::kill(worker_, SIGCONT);
    if (thread_.joinable()) {
      server_->Stop();
      thread_.join();
    }
    if (server_) {
      EXPECT_EQ(server_->stats().connections, 0u);
    }
    server_.reset();
    if (supervisor_) {
      EXPECT_EQ(supervisor_->Stop(kPatience), "0 leaked");
    }
    supervisor_.reset();
  }

  TestClient Client() const { return TestClient(server_->port()); }
  // While the only worker stands still, requests stay on the way.
  void FreezeWorker() const { ::kill(worker_, SIGSTOP); }
  void ThawWorker() const { ::kill(worker_, SIGCONT); }

  // What the service says of itself, as a client can see it.
  std::string Status() const { return Client().Ask(Get("/v1/status")).body; }
  template <class Condition>
  bool Becomes(Condition condition) const {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  SystemClock clock_;
  runtime::Supervisor::Options setup_;
  ServerOptions options_;
  Server::Hooks hooks_;
  std::unique_ptr<runtime::Supervisor> supervisor_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
  std::atomic<bool> ended_ = false;
  pid_t worker_ = 0;
  std::string log_;  // of the server's thread: read it after StopServer
};

}  // namespace holostat::server
