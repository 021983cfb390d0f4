#include "runtime/heap_door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/control_server.h"
#include "runtime/heap_snapshot.h"
#include "runtime/service_status.h"

namespace holostat::runtime {
namespace {

constexpr auto kLong = std::chrono::seconds(60);  // until a test is given up

TEST(HeapDoor, TellsTheStatusOfItsProcess) {
  const auto door = HeapDoor::Open("track");
  ASSERT_TRUE(door) << door.error().message;
  const auto answer = AskProcess(::getpid(), kStatusRequest, kLong);
  ASSERT_TRUE(answer) << answer.error().message;
  const auto status = FromJson(*answer);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(status->processes.size(), 1u);
  const ProcessStatus& process = status->processes[0];
  EXPECT_EQ(process.role, "track");
  EXPECT_EQ(process.pid, ::getpid());
  EXPECT_GT(process.uss_bytes, 0u);
  EXPECT_GE(process.threads, 2u);
  EXPECT_GT(process.fds, 3u);
}

TEST(HeapDoor, AnswersHeapRequests) {
  const auto door = HeapDoor::Open("track");
  ASSERT_TRUE(door);
  const auto started = AskProcess(::getpid(), "heap start 16", kLong);
  if (!started && started.error().code == ErrorCode::kUnsupported)
    GTEST_SKIP() << "no profiler in this process";
  ASSERT_TRUE(started) << started.error().message;
  const auto answer = AskProcess(::getpid(), "heap dump", kLong);
  ASSERT_TRUE(answer) << answer.error().message;
  const auto snapshot = ParseHeapSnapshot(*answer);
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->process, "track");
  EXPECT_TRUE(AskProcess(::getpid(), "heap stop", kLong));
}

TEST(HeapDoor, RefusesWhatItDoesNotKnow) {
  const auto door = HeapDoor::Open("track");
  ASSERT_TRUE(door);
  EXPECT_EQ(AskProcess(::getpid(), "dance", kLong).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(AskProcess(::getpid(), "heap dance", kLong).error().code, ErrorCode::kInvalidArgument);
}

TEST(HeapDoor, IsClosedWithItsObject) {
  ASSERT_TRUE(HeapDoor::Open("track"));
  EXPECT_EQ(AskProcess(::getpid(), kStatusRequest, kLong).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(FindProcesses(), ::testing::Not(::testing::Contains(::getpid())));
  EXPECT_TRUE(HeapDoor::Open("track")) << "and its name can be taken again";
}

TEST(HeapDoor, ASecondOneOfAProcessIsRefused) {
  const auto door = HeapDoor::Open("track");
  ASSERT_TRUE(door);
  EXPECT_EQ(HeapDoor::Open("track").error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace holostat::runtime
