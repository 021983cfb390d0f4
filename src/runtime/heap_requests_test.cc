#include "runtime/heap_requests.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/heap_profile.h"
#include "runtime/heap_snapshot.h"

namespace holostat::runtime {
namespace {

TEST(HeapRequest, EveryLineComesBackAsItWasWritten) {
  for (const char* line : {"heap start 10", "heap start 30 worker 7", "heap stop", "heap dump",
                           "heap dump worker 4294967295", "heap stop zygote"}) {
    const auto request = ParseHeapRequest(line);
    ASSERT_TRUE(request) << line;
    EXPECT_EQ(ToLine(*request), line);
  }
}

TEST(HeapRequest, AnythingElseIsRefused) {
  for (const char* line : {"", "heap", "heap ", "heapdump", "heap start", "heap start 9",
                           "heap start 31", "heap start x", "heap start 16 ", "heap dump  worker 1",
                           "heap dump worker", "heap dump worker -1", "heap dump worker 4294967296",
                           "heap dump zygote 1", "heap dump all", "heap start 16 17", "status"}) {
    const auto request = ParseHeapRequest(line);
    ASSERT_FALSE(request) << line;
    EXPECT_EQ(request.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(HeapRequest, OfThisProcessIsDoneHere) {
  if (!HandleOwnHeapRequest("heap start 16")) GTEST_SKIP() << "no profiler in this process";
  const auto answer = HandleOwnHeapRequest("heap dump", "test");
  ASSERT_TRUE(answer) << answer.error().message;
  const auto snapshot = ParseHeapSnapshot(*answer);
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->process, "test");
  EXPECT_EQ(snapshot->pid, ::getpid());
  EXPECT_TRUE(ParseHeapProfile(snapshot->profile));
  EXPECT_EQ(HandleOwnHeapRequest("heap stop").value_or("?"), "");
}

TEST(HeapRequest, OfAWorkerIsNotForAProcessWithoutAny) {
  EXPECT_EQ(HandleOwnHeapRequest("heap dump worker 1").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(HandleOwnHeapRequest("heap dump zygote").error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace holostat::runtime
