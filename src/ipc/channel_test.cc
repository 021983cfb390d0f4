#include "ipc/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "ipc/fd_count.h"

namespace holostat::ipc {
namespace {

class ChannelTest : public testing::Test {
 protected:
  void SetUp() override {
    auto pair = Channel::CreatePair();
    ASSERT_TRUE(pair) << pair.error().message;
    ours_ = std::move(pair->first);
    theirs_ = std::move(pair->second);
  }

  // Any bytes with any descriptors, as a hostile peer would send them.
  void SendRaw(std::string_view bytes, const std::vector<int>& fds = {}) {
    std::string data(bytes);
    iovec part{data.data(), data.size()};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    const std::size_t fd_bytes = fds.size() * sizeof(int);
    std::vector<std::max_align_t> control(CMSG_SPACE(fd_bytes) / sizeof(std::max_align_t) + 1);
    if (!fds.empty()) {
      header.msg_control = control.data();
      header.msg_controllen = CMSG_SPACE(fd_bytes);
      cmsghdr* rights = CMSG_FIRSTHDR(&header);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(fd_bytes);
      std::memcpy(CMSG_DATA(rights), fds.data(), fd_bytes);
    }
    ASSERT_EQ(::sendmsg(theirs_.fd(), &header, 0), static_cast<ssize_t>(data.size()));
  }

  ErrorCode ReceiveError() {
    const auto received = ours_.Receive();
    EXPECT_FALSE(received);
    return received ? ErrorCode{} : received.error().code;
  }

  Channel ours_, theirs_;
};

std::string Bytes(const Message& message) {
  std::array<std::byte, kMaxMessageBytes> buffer;
  const std::size_t size = Encode(message, buffer);
  return {reinterpret_cast<const char*>(buffer.data()), size};
}

// Lowers the limit of open files to those that are open and `spare` more.
class FdLimit {
 public:
  explicit FdLimit(std::size_t spare) {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    UniqueFd highest(::dup(0));
    const rlimit limit{static_cast<rlim_t>(highest.get()) + spare, before_.rlim_max};
    highest.reset();
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }
  FdLimit(const FdLimit&) = delete;
  FdLimit& operator=(const FdLimit&) = delete;
  ~FdLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(ChannelTest, BothEndsAreCloseOnExecAndNonBlocking) {
  for (const int fd : {ours_.fd(), theirs_.fd()}) {
    EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
    EXPECT_NE(::fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
  }
}

TEST_F(ChannelTest, MessagesArriveWholeInTheirOrderAndThenNone) {
  ASSERT_TRUE(theirs_.Send(WorkerReady{.worker_id = 1, .pid = 2}));
  ASSERT_TRUE(theirs_.Send(HeapDone{.text = std::string(kMaxTextBytes, 'x')}));
  const auto first = ours_.Receive();
  ASSERT_TRUE(first && *first);
  EXPECT_EQ(std::get<WorkerReady>((*first)->message).pid, 2u);
  const auto second = ours_.Receive();
  ASSERT_TRUE(second && *second);
  EXPECT_EQ(std::get<HeapDone>((*second)->message).text.size(), kMaxTextBytes);
  const auto third = ours_.Receive();
  ASSERT_TRUE(third);
  EXPECT_FALSE(*third);
}

TEST_F(ChannelTest, DescriptorsArriveCloseOnExecAndNameTheSameFile) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const UniqueFd reader(pipe_ends[0]), writer(pipe_ends[1]);
  ASSERT_TRUE(theirs_.Send(Trim{}, std::array{reader.get(), writer.get()}));
  const auto received = ours_.Receive();
  ASSERT_TRUE(received && *received);
  const auto& fds = (*received)->fds;
  ASSERT_TRUE(fds[0] && fds[1]);
  EXPECT_NE(::fcntl(fds[0].get(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(::write(fds[1].get(), "x", 1), 1);
  char got = 0;
  ASSERT_EQ(::read(reader.get(), &got, 1), 1);
  EXPECT_EQ(got, 'x');
}

TEST_F(ChannelTest, NothingLeaksWhateverCameAlong) {
  const auto before = OpenFds();
  const std::string stop = Bytes(Stop{});
  for (const std::size_t count : {1u, 2u, 3u, 17u, 253u}) {
    const std::vector<int> fds(count, 0);
    SendRaw(stop, fds);
    const auto received = ours_.Receive();
    EXPECT_EQ(received.has_value(), count <= kMaxFds) << count;
    if (!received) {
      EXPECT_EQ(received.error().code, ErrorCode::kCorruptData);
    }
  }
  SendRaw("no message", {0, 0});
  EXPECT_EQ(ReceiveError(), ErrorCode::kCorruptData);
  SendRaw(std::string(kMaxMessageBytes + 1, 'x'), {0, 0});
  const auto cut = ours_.Receive();
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(cut.error().message, "a message longer than any can be");
  EXPECT_EQ(OpenFds(), before);
  ASSERT_TRUE(theirs_.Send(Stop{}));  // and the channel still works
  const auto received = ours_.Receive();
  ASSERT_TRUE(received && *received);
  EXPECT_FALSE((*received)->fds[0]);
}

TEST_F(ChannelTest, AtTheLimitOfOpenFilesItIsOverloadedAndGoesOnLater) {
  const auto before = OpenFds();
  const auto receive_with_room_for = [&ours = ours_](std::size_t spare) {
    const FdLimit limit(spare);  // UBSan needs a descriptor, too: nothing but the call stands here
    return ours.Receive();
  };
  for (const std::size_t spare : {0u, 1u}) {
    ASSERT_TRUE(theirs_.Send(Trim{}, std::array{0, 1}));
    const auto received = receive_with_room_for(spare);
    ASSERT_FALSE(received);
    EXPECT_EQ(received.error().code, ErrorCode::kOverloaded) << spare;
  }
  ASSERT_TRUE(theirs_.Send(Trim{}, std::array{0, 1}));
  EXPECT_TRUE(receive_with_room_for(2).value().has_value());
  EXPECT_EQ(OpenFds(), before);
}

TEST(Channel, AtTheLimitOfOpenFilesThereIsNoNewOne) {
  const auto pair = [] {
    const FdLimit limit(1);
    return Channel::CreatePair();
  }();
  ASSERT_FALSE(pair);
  EXPECT_EQ(pair.error().code, ErrorCode::kOverloaded);
}

TEST_F(ChannelTest, APeerThatDoesNotReadOverloadsItsSenderUntilItReads) {
  Result<void> sent;
  std::size_t count = 0;
  while ((sent = ours_.Send(HeapDone{.text = std::string(kMaxTextBytes, 'x')}))) ++count;
  EXPECT_EQ(sent.error().code, ErrorCode::kOverloaded);
  EXPECT_GT(count, 10u);
  for (std::size_t k = 0; k < count; ++k) ASSERT_TRUE(theirs_.Receive().value());
  EXPECT_TRUE(ours_.Send(Stop{}));
}

TEST_F(ChannelTest, APeerThatIsGoneIsUnavailableWithoutASignal) {
  theirs_ = Channel();
  EXPECT_TRUE(ours_.WaitReadable());  // to be told of it
  EXPECT_EQ(ReceiveError(), ErrorCode::kUnavailable);
  const auto sent = ours_.Send(Stop{});
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::kUnavailable);
}

TEST_F(ChannelTest, WhatThePeerSentBeforeItDiedIsStillReceived) {
  ASSERT_TRUE(ours_.Send(Trim{}));  // never read: the connection is reset
  ASSERT_TRUE(theirs_.Send(JobDone{.request_id = 3}));
  theirs_ = Channel();
  const auto received = ours_.Receive();
  ASSERT_TRUE(received && *received) << received.error().message;
  EXPECT_EQ(std::get<JobDone>((*received)->message).request_id, 3u);
  EXPECT_EQ(ReceiveError(), ErrorCode::kUnavailable);
}

TEST_F(ChannelTest, AnEmptyMessageCountsAsTheEnd) {
  SendRaw("");
  EXPECT_EQ(ReceiveError(), ErrorCode::kUnavailable);
}

TEST_F(ChannelTest, ADescriptorThatIsNotOpenIsAFaultOfOurs) {
  const auto sent = ours_.Send(Stop{}, std::array{-1});
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::kInternal);
  const auto too_many = ours_.Send(Stop{}, std::array{0, 0, 0});
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().code, ErrorCode::kInternal);
}

TEST_F(ChannelTest, WaitingGoesOnAfterASignalAndEndsWithAMessage) {
  struct sigaction action {};
  action.sa_handler = [](int) {};  // without SA_RESTART: poll returns EINTR
  ASSERT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
  Result<void> waited;
  bool message_was_there = false;
  std::thread waiter([&] {
    waited = ours_.WaitReadable();
    message_was_there = ours_.Receive().value().has_value();
  });
  for (int k = 0; k < 100; ++k) ::pthread_kill(waiter.native_handle(), SIGUSR1);
  ASSERT_TRUE(theirs_.Send(Stop{}));
  waiter.join();
  EXPECT_TRUE(waited);
  EXPECT_TRUE(message_was_there);
}

TEST_F(ChannelTest, TellsWhetherThePeerWentWithMessagesUnread) {
  ASSERT_TRUE(ours_.Send(Stop{}));
  ASSERT_TRUE(theirs_.Send(Stop{}));
  theirs_ = Channel();
  EXPECT_TRUE(ours_.Receive().value().has_value()) << "what it sent comes first";
  EXPECT_FALSE(ours_.Receive());
  EXPECT_TRUE(ours_.peer_left_unread());
}

TEST_F(ChannelTest, APeerThatHadReadAllLeavesNothingUnread) {
  ASSERT_TRUE(ours_.Send(Stop{}));
  ASSERT_TRUE(theirs_.Receive().value().has_value());
  theirs_ = Channel();
  EXPECT_FALSE(ours_.Receive());
  EXPECT_FALSE(ours_.peer_left_unread());
}

TEST(Channel, WithoutASocketIsUnavailable) {
  Channel none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.Receive());
}

}  // namespace
}  // namespace holostat::ipc
