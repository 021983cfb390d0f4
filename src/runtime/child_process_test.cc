#include "runtime/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

ChildProcess Shell(std::string command) {
  return ChildProcess::Spawn({"/bin/sh", {"-c", std::move(command)}, -1}).value();
}

ExitStatus WaitFor(ChildProcess& child) {
  pollfd wait{child.pidfd(), POLLIN, 0};
  EXPECT_EQ(::poll(&wait, 1, 60000), 1);
  return child.TryReap().value();
}

TEST(ChildProcess, TellsHowItEnded) {
  auto exits = Shell("exit 3");
  EXPECT_EQ(WaitFor(exits).Describe(), "exit code 3");
  auto killed = Shell("kill -9 $$");
  EXPECT_EQ(WaitFor(killed).Describe(), "signal 9 (Killed)");
  EXPECT_FALSE(killed);
  EXPECT_FALSE(killed.TryReap()) << "told once";
}

TEST(ChildProcess, ARunningOneHasNotEnded) {
  auto child = Shell("exec sleep 1000");
  EXPECT_FALSE(child.TryReap());
  EXPECT_TRUE(child);
}

TEST(ChildProcess, LeavesNothingBehind) {
  const std::size_t before = ChildrenOfThisProcess().size();
  {
    const auto runs = Shell("exec sleep 1000");
    const auto stopped = Shell("exec sleep 1000");
    stopped.Signal(SIGSTOP);
    EXPECT_EQ(ChildrenOfThisProcess().size(), before + 2);
  }
  EXPECT_EQ(ChildrenOfThisProcess().size(), before);
}

TEST(ChildProcess, InheritsNoDescriptorThatItIsNotGiven) {
  const UniqueFd first(::open("/dev/null", O_RDONLY)), second(::fcntl(first.get(), F_DUPFD, 100));
  for (const int fd : {first.get(), second.get()}) {
    auto child = Shell(fmt::format("test ! -e /proc/$$/fd/{}", fd));
    EXPECT_EQ(WaitFor(child).value, 0) << fd;
  }
}

TEST(ChildProcess, CannotStartWhatIsNotThere) {
  const auto none = ChildProcess::Spawn({"/nonexistent/program", {}, -1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

TEST(ChildProcess, LeavesNoProcessWhereThereIsNoDescriptorToOwnItBy) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{3, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto child = ChildProcess::Spawn({"/bin/sh", {"-c", "exec sleep 1000"}, -1});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(child);
  EXPECT_EQ(ChildrenOfThisProcess().size(), 0u);
}

TEST(ChildProcess, AdoptsOnlyChildrenOfThisProcess) {
  for (const pid_t pid : {::getppid(), ::getpid(), pid_t{1}, pid_t{0}, pid_t{-1}}) {
    const auto adopted = ChildProcess::Adopt(pid);
    ASSERT_FALSE(adopted) << pid;
    EXPECT_EQ(adopted.error().code, ErrorCode::kNotFound);
  }
  const pid_t child = ::fork();
  if (child == 0) ::_exit(5);
  auto adopted = ChildProcess::Adopt(child);
  ASSERT_TRUE(adopted);
  EXPECT_EQ(WaitFor(*adopted).value, 5);
}

TEST(ChildProcess, HasAlsoEndedWhenOtherCodeHasReapedIt) {
  auto child = Shell("exit 3");
  ASSERT_EQ(::waitpid(child.pid(), nullptr, 0), child.pid());
  const auto status = child.TryReap();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->value, ExitStatus::kUnknown);
  EXPECT_FALSE(child);
}

TEST(ChildProcess, HasAnEmptyInput) {
  auto child = Shell("read line && exit 1; exit 7");
  EXPECT_EQ(WaitFor(child).value, 7);
}

}  // namespace
}  // namespace holostat::runtime
