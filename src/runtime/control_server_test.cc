#include "runtime/control_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <future>
#include <iterator>
#include <optional>
#include <thread>

#include "base/unique_fd.h"
#include "runtime/control_protocol.h"

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto kLong = seconds(60);  // until a test is given up

std::size_t OpenFds() {
  const std::filesystem::directory_iterator fds("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(fds), end(fds)));
}

// A client below AskProcess, for all that AskProcess does not do.
class RawClient {
 public:
  RawClient() : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const ControlAddress door = ControlAddressOf(::getpid());
    connected_ =
        ::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&door.address), door.length) == 0;
  }
  bool connected() const { return connected_; }
  void Send(std::string_view bytes) const {
    ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  void EndSending() const { ::shutdown(fd_.get(), SHUT_WR); }
  void Leave() { fd_.reset(); }

  // All there is by now; `closed` tells whether the server has closed the connection.
  std::string ReadSome() {
    std::string all, chunk(64 << 10, '\0');
    ssize_t count = 0;
    while ((count = ::recv(fd_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT)) > 0) {
      all.append(chunk, 0, static_cast<std::size_t>(count));
    }
    closed_ = count == 0 || errno == ECONNRESET;
    return all;
  }
  bool closed() { return ReadSome(), closed_; }

 private:
  UniqueFd fd_;
  bool connected_ = false, closed_ = false;
};

class ControlServerTest : public ::testing::Test {
 protected:
  ControlServerTest() {
    loop_ = *EventLoop::Create(clock_);
    server_ = *ControlServer::Create(*loop_, [this](std::string_view request, auto reply) {
      Handle(request, std::move(reply));
    });
  }

  void Handle(std::string_view request, std::unique_ptr<ControlServer::Reply> reply) {
    ++requests_;
    if (request == "fail") return reply->Fail({ErrorCode::kUnsupported, "not in this build"});
    if (request == "forget") return;
    if (request == "large") return reply->Send(std::string(kLargeBytes, 'L'));
    if (request == "too large") return reply->Send(std::string((64 << 20) + 1, 'L'));
    if (request == "later") return later_.push_back(std::move(reply));
    if (request == "destroy") return server_.reset();
    reply->Send("you said " + std::string(request));
  }

  void RunLoop() {
    while (loop_->Step() > 0) {
    }
  }
  // Runs the loop until `done`; what it waits for comes from another thread or process.
  template <class Done>
  void RunUntil(Done done) {
    const auto end = std::chrono::steady_clock::now() + kLong;
    bool is_done = false;
    while (!(is_done = done()) && std::chrono::steady_clock::now() < end) {
      loop_->Step(milliseconds(10));
    }
    ASSERT_TRUE(is_done);
  }
  Result<std::string> Ask(std::string_view request, milliseconds timeout = kLong) {
    auto answer =
        std::async(std::launch::async, [=] { return AskProcess(::getpid(), request, timeout); });
    RunUntil([&] { return answer.wait_for(seconds(0)) == std::future_status::ready; });
    return answer.get();
  }

  static constexpr std::size_t kLargeBytes = 8 << 20;
  ManualClock clock_;
  std::unique_ptr<EventLoop> loop_;
  std::unique_ptr<ControlServer> server_;
  std::vector<std::unique_ptr<ControlServer::Reply>> later_;
  int requests_ = 0;
};

TEST_F(ControlServerTest, AnswersARequest) {
  const auto answer = Ask("hello");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "you said hello");
}

TEST_F(ControlServerTest, AnswersLargelyAndToTheLastByte) {
  const auto answer = Ask("large");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, std::string(kLargeBytes, 'L'));
}

TEST_F(ControlServerTest, PassesAnErrorOn) {
  const auto answer = Ask("fail");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(answer.error().message, "not in this build");
}

TEST_F(ControlServerTest, FailsARequestThatIsForgottenOrAnsweredTooLargely) {
  EXPECT_EQ(Ask("forget").error().code, ErrorCode::kInternal);
  EXPECT_EQ(Ask("too large").error().code, ErrorCode::kLimitExceeded);
}

TEST_F(ControlServerTest, SendsWhatIsAnsweredLater) {
  auto answer =
      std::async(std::launch::async, [] { return AskProcess(::getpid(), "later", kLong); });
  RunUntil([&] { return !later_.empty(); });
  clock_.Advance(seconds(100));  // a handler may take its time
  RunLoop();
  later_.front()->Send("at last");
  later_.front()->Send("twice");
  RunUntil([&] { return answer.wait_for(seconds(0)) == std::future_status::ready; });
  EXPECT_EQ(answer.get().value(), "at last");
}

TEST_F(ControlServerTest, TellsAnAnswerThatWasCutOff) {
  auto answer =
      std::async(std::launch::async, [] { return AskProcess(::getpid(), "later", kLong); });
  RunUntil([&] { return !later_.empty(); });
  later_.front()->Send(std::string(kLargeBytes, 'L'));
  loop_->Step();    // some of it
  server_.reset();  // the rest never
  const auto result = answer.get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(result.error().message, HasSubstr("cut off"));
}

TEST_F(ControlServerTest, TimesOutWhenItIsNotAnswered) {
  // Nobody steps the loop.
  const auto answer = AskProcess(::getpid(), "hello", milliseconds(20));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
}

TEST_F(ControlServerTest, FindsNoProcessWithoutADoor) {
  EXPECT_EQ(AskProcess(1 << 30, "hello", kLong).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(AskProcess(0, "hello", kLong).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(AskProcess(-1, "hello", kLong).error().code, ErrorCode::kNotFound);
  server_.reset();
  EXPECT_EQ(AskProcess(::getpid(), "hello", kLong).error().code, ErrorCode::kNotFound);
}

TEST_F(ControlServerTest, FindsTheProcessesThatHaveADoor) {
  EXPECT_THAT(FindProcesses(), Contains(::getpid()).Times(1));
  RawClient client;
  RunLoop();
  EXPECT_THAT(FindProcesses(), Contains(::getpid()).Times(1)) << "a connection is no other door";
  server_.reset();
  EXPECT_THAT(FindProcesses(), Not(Contains(::getpid())));
}

TEST_F(ControlServerTest, HasOneDoorAProcess) {
  const auto second = ControlServer::Create(*loop_, [](std::string_view, auto) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
}

TEST_F(ControlServerTest, RefusesGarbage) {
  for (const std::string_view garbage : {"\n", "caf\xc3\xa9\n", "\x01\x02\n", "no newline"}) {
    RawClient client;
    client.Send(garbage);
    client.EndSending();
    RunLoop();
    EXPECT_THAT(client.ReadSome(), StartsWith("error invalid_argument "));
    EXPECT_TRUE(client.closed());
  }
  EXPECT_EQ(requests_, 0);
}

TEST_F(ControlServerTest, RefusesALineThatIsTooLong) {
  RawClient client;
  client.Send(std::string(1023, 'x'));
  RunLoop();
  EXPECT_EQ(client.ReadSome(), "");
  client.Send("xx\n");
  RunLoop();
  EXPECT_THAT(client.ReadSome(), StartsWith("error invalid_argument "));
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(Ask(std::string(1023, 'x')).value().size(), 9u + 1023u);
  EXPECT_EQ(AskProcess(::getpid(), std::string(1024, 'x'), kLong).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(AskProcess(::getpid(), "a\nb", kLong).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(ControlServerTest, ReadsALineThatComesInPieces) {
  RawClient client;
  for (const char c : std::string("hello\n")) {
    client.Send(std::string(1, c));
    RunLoop();
  }
  EXPECT_EQ(client.ReadSome(), "ok 14\nyou said hello");
}

TEST_F(ControlServerTest, AnswersAClientThatHasEndedItsSending) {
  RawClient client;
  client.Send("later\n");
  client.EndSending();
  RunLoop();
  EXPECT_EQ(loop_->Step(), 0u) << "the half-closed connection does not keep the loop awake";
  later_.front()->Send("still here?");
  RunLoop();
  EXPECT_EQ(client.ReadSome(), "ok 11\nstill here?");
  EXPECT_TRUE(client.closed());
}

TEST_F(ControlServerTest, ClosesASilentClient) {
  RawClient client;
  client.Send("hel");
  RunLoop();
  clock_.Advance(seconds(6));
  client.Send("l");  // a letter now and then is no line
  RunLoop();
  EXPECT_FALSE(client.closed());
  clock_.Advance(seconds(4));
  RunLoop();
  EXPECT_TRUE(client.closed());
}

TEST_F(ControlServerTest, ClosesAClientThatReadsNothing) {
  const std::size_t fds = OpenFds();
  RawClient client;
  client.Send("large\n");
  RunLoop();
  for (int i = 0; i < 3; ++i) {  // it reads some: that is progress
    clock_.Advance(seconds(9));
    EXPECT_GT(client.ReadSome().size(), 0u);
    RunLoop();
  }
  EXPECT_EQ(OpenFds(), fds + 2);
  clock_.Advance(seconds(10));
  RunLoop();
  EXPECT_EQ(OpenFds(), fds + 1) << "only the client's own end is left";
  EXPECT_TRUE(client.closed());
}

TEST_F(ControlServerTest, BoundsItsConnections) {
  const std::size_t fds = OpenFds();
  {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 100; ++i) {
      clients.push_back(std::make_unique<RawClient>());
      ASSERT_TRUE(clients.back()->connected());
      if (i % 10 == 9) RunLoop();  // its queue of new ones is short, too
    }
    EXPECT_EQ(OpenFds(), fds + 100 + 8);
    std::size_t refused = 0;
    for (const auto& client : clients) {
      refused += client->ReadSome().starts_with("error overloaded ") && client->closed();
    }
    EXPECT_EQ(refused, 92u);
  }
  RunLoop();
  EXPECT_EQ(OpenFds(), fds);
  EXPECT_TRUE(Ask("hello"));
}

TEST_F(ControlServerTest, SurvivesAHundredClientsAtOnce) {
  const std::size_t fds = OpenFds();
  std::atomic<int> ok{0}, overloaded{0}, left{100};
  std::vector<std::thread> clients;
  clients.reserve(100);
  for (int i = 0; i < 100; ++i) {
    clients.emplace_back([&] {
      const auto answer = AskProcess(::getpid(), "hello", kLong);
      if (answer) {
        ++ok;
      } else if (answer.error().code == ErrorCode::kOverloaded) {
        ++overloaded;
      }
      --left;
    });
  }
  RunUntil([&] { return left == 0; });
  for (std::thread& client : clients) client.join();
  RunLoop();
  EXPECT_GE(ok, 8);
  EXPECT_EQ(ok + overloaded, 100) << "each client knows what became of its request";
  EXPECT_EQ(OpenFds(), fds);
}

TEST_F(ControlServerTest, WaitsForADescriptorWithoutSpinning) {
  RawClient client;
  client.Send("hello\n");
  const int next = UniqueFd(::dup(0)).get();
  rlimit all{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &all), 0);
  const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = all.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  loop_->Step();
  EXPECT_EQ(loop_->Step(), 0u) << "the client that waits does not keep the loop awake";
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &all), 0);
  clock_.Advance(seconds(1));
  RunLoop();
  EXPECT_EQ(client.ReadSome(), "ok 14\nyou said hello");
}

TEST_F(ControlServerTest, TellsAClientThatIsRefusedWhy) {
  std::vector<RawClient> holders(8);
  RunLoop();
  const auto answer = Ask("hello");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kOverloaded);
}

TEST_F(ControlServerTest, ForgetsAClientThatLeavesBeforeItsAnswer) {
  const std::size_t fds = OpenFds();
  RawClient client;
  client.Send("later\n");
  RunLoop();
  client.Leave();
  RunLoop();
  EXPECT_EQ(OpenFds(), fds);
  later_.front()->Send("nobody");
  later_.clear();
  RunLoop();
  EXPECT_TRUE(Ask("hello"));
}

TEST_F(ControlServerTest, ForgetsAClientThatLeavesInTheMiddleOfItsAnswer) {
  const std::size_t fds = OpenFds();
  RawClient client;
  client.Send("large\n");
  RunLoop();
  client.Leave();
  RunLoop();
  EXPECT_EQ(OpenFds(), fds);
}

TEST_F(ControlServerTest, ClosesAllWhenDestroyedWithRepliesPending) {
  RawClient waiting, reading, silent;
  waiting.Send("later\n");
  reading.Send("large\n");
  RunLoop();
  server_.reset();
  later_.front()->Send("too late");
  later_.clear();
  RunLoop();
  EXPECT_EQ(waiting.ReadSome(), "");
  EXPECT_TRUE(waiting.closed());
  EXPECT_TRUE(reading.closed());
  EXPECT_TRUE(silent.closed());
}

TEST_F(ControlServerTest, MayBeDestroyedByItsHandler) {
  const auto answer = Ask("destroy");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
}

// In a child: asks as another user, ends with the code of the error.
pid_t AskAs(uid_t uid, int pid) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (::seteuid(uid) != 0) ::_exit(100);
  const auto answer = AskProcess(pid, "hello", kLong);
  ::_exit(answer ? 0 : static_cast<int>(answer.error().code));
}

TEST_F(ControlServerTest, RefusesAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  const pid_t child = AskAs(65534, ::getpid());
  ASSERT_GT(child, 0);
  int status = 0;
  RunUntil([&] { return ::waitpid(child, &status, WNOHANG) == child; });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), static_cast<int>(ErrorCode::kUnavailable));
  EXPECT_EQ(requests_, 0);
}

TEST_F(ControlServerTest, IsNotFooledByAnotherProcessUnderItsName) {
  server_.reset();
  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int pretended = (1 << 29) + ::getpid();
  const ControlAddress door = ControlAddressOf(pretended);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&door.address), door.length),
            0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(AskProcess(pretended, "hello", kLong).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace holostat::runtime
