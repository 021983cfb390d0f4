#include "runtime/service_notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "base/test_dir.h"

namespace holostat::runtime {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// The manager's end.
class Manager {
 public:
  explicit Manager(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    socket_.reset(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    HOLO_CHECK(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address),
                      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())) == 0);
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }

  std::string Take() {  // the next message; empty: none
    char bytes[4096];
    const ssize_t size = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    return size <= 0 ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
  }

 private:
  UniqueFd socket_;
};

class ServiceNotifyTest : public ::testing::Test {
 protected:
  ServiceNotifyTest() : loop_(*EventLoop::Create(clock_)) {}
  void SetUp() override { ForgetAll(); }
  void TearDown() override { ForgetAll(); }

  static void ForgetAll() {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
  }
  std::string PathInTest() const { return (dir_ / "notify").string(); }

  TestDir dir_;
  ManualClock clock_;
  std::unique_ptr<EventLoop> loop_;
};

TEST_F(ServiceNotifyTest, SaysNothingWithoutAManager) {
  const auto notify = *ServiceNotify::Create(ServiceNotify::TakeVariables());
  EXPECT_FALSE(notify->is_listened_to());
  notify->Ready();
  notify->Stopping();
}

TEST_F(ServiceNotifyTest, TellsTheStatesInOrderAndEachOnce) {
  Manager manager(PathInTest());
  const auto notify = *ServiceNotify::Create(ServiceNotify::TakeVariables());
  notify->Reloading();  // nothing to reload before it is ready
  notify->Status("loading");
  notify->Status("loading");
  notify->Ready();
  notify->Ready();
  notify->Reloading();
  notify->Ready();
  notify->Stopping();
  notify->Ready();  // too late
  EXPECT_EQ(manager.Take(), "STATUS=loading");
  EXPECT_EQ(manager.Take(), "READY=1");
  const std::string reloading = manager.Take();
  EXPECT_TRUE(reloading.starts_with("RELOADING=1\nMONOTONIC_USEC=")) << reloading;
  EXPECT_GT(std::stoull(reloading.substr(reloading.rfind('=') + 1)), 0u);
  EXPECT_EQ(manager.Take(), "READY=1");
  EXPECT_EQ(manager.Take(), "STOPPING=1");
  EXPECT_EQ(manager.Take(), "");
}

TEST_F(ServiceNotifyTest, FindsAnAbstractSocket) {
  Manager manager("@holostat-notify-test-" + std::to_string(::getpid()));
  (*ServiceNotify::Create(ServiceNotify::TakeVariables()))->Ready();
  EXPECT_EQ(manager.Take(), "READY=1");
}

TEST_F(ServiceNotifyTest, LeavesNoVariableToChildren) {
  Manager manager(PathInTest());
  ::setenv("WATCHDOG_USEC", "1000000", 1);
  const auto notify = *ServiceNotify::Create(ServiceNotify::TakeVariables());
  EXPECT_EQ(std::getenv("NOTIFY_SOCKET"), nullptr);
  EXPECT_EQ(std::getenv("WATCHDOG_USEC"), nullptr);
}

TEST_F(ServiceNotifyTest, GivesASignOfLifeEachHalfOfTheWatchdogsTimeFromTheLoopAlone) {
  Manager manager(PathInTest());
  ::setenv("WATCHDOG_USEC", "3000000", 1);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  const auto notify = *ServiceNotify::Create(ServiceNotify::TakeVariables());
  notify->StartWatchdog(*loop_);
  EXPECT_EQ(notify->watchdog_period(), microseconds(1'500'000));
  clock_.Advance(milliseconds(1499));
  loop_->Step();
  EXPECT_EQ(manager.Take(), "");
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(manager.Take(), "") << "the loop is stuck";
  loop_->Step();
  EXPECT_EQ(manager.Take(), "WATCHDOG=1");
  clock_.Advance(milliseconds(1500));
  loop_->Step();
  EXPECT_EQ(manager.Take(), "WATCHDOG=1");
}

TEST_F(ServiceNotifyTest, LeavesTheWatchdogOfAnotherProcessAlone) {
  Manager manager(PathInTest());
  ::setenv("WATCHDOG_USEC", "2000000", 1);
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ((*ServiceNotify::Create(ServiceNotify::TakeVariables()))->watchdog_period(),
            microseconds(0));
}

TEST_F(ServiceNotifyTest, NeverWaitsForAManagerThatReadsNothing) {
  Manager manager(PathInTest());
  const auto notify = *ServiceNotify::Create(ServiceNotify::TakeVariables());
  for (int i = 0; i < 100'000; ++i) notify->Status(std::to_string(i));
  EXPECT_EQ(manager.Take(), "STATUS=0");
}

TEST_F(ServiceNotifyTest, RefusesVariablesThatSayNothingSensible) {
  for (const std::string& name :
       {std::string("relative"), "/" + std::string(200, 'x'), PathInTest()}) {
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
    const auto notify = ServiceNotify::Create(ServiceNotify::TakeVariables());
    ASSERT_FALSE(notify) << name;
    EXPECT_EQ(notify.error().code, ErrorCode::kInvalidArgument);
  }
  Manager manager(PathInTest());
  ::setenv("WATCHDOG_USEC", "soon", 1);
  EXPECT_FALSE(ServiceNotify::Create(ServiceNotify::TakeVariables()));
}

}  // namespace
}  // namespace holostat::runtime
