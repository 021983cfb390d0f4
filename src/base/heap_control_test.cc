#include "base/heap_control.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/process_memory.h"
#include "base/unique_fd.h"

namespace holostat {
namespace {

constexpr unsigned kEach4Kb = 12;

bool HasProfiler() { return StopHeapSampling().has_value(); }

std::string ReadAll(int fd) {
  std::string text;
  char chunk[4096];
  for (off_t at = 0;;) {
    const ssize_t count = ::pread(fd, chunk, sizeof(chunk), at);
    if (count <= 0) return text;
    text.append(chunk, static_cast<std::size_t>(count));
    at += count;
  }
}

// The dump without the mappings that may follow it.
std::string Dump() {
  const UniqueFd file(::memfd_create("heap dump", MFD_CLOEXEC));
  const auto dumped = DumpHeapSamples(file.get());
  EXPECT_TRUE(dumped) << dumped.error().message;
  const std::string text = ReadAll(file.get());
  return text.substr(0, text.find("MAPPED_LIBRARIES:"));
}

std::size_t Sites(const std::string& dump) {
  std::size_t count = 0;
  for (std::size_t at = dump.find("\n@"); at != std::string::npos; at = dump.find("\n@", at + 1))
    ++count;
  return count;
}

[[gnu::noinline]] std::vector<std::unique_ptr<char[]>> Allocate(std::size_t blocks) {
  std::vector<std::unique_ptr<char[]>> held;
  for (std::size_t i = 0; i < blocks; ++i) held.push_back(std::make_unique<char[]>(4096));
  return held;
}

TEST(HeapControl, CountsWhatIsInUse) {
  const std::uint64_t before = HeapInUseBytes();
  if (before == 0) GTEST_SKIP() << "this allocator does not tell";
  auto held = Allocate(1000);
  const std::uint64_t with = HeapInUseBytes();
  held.clear();
  EXPECT_GE(with, before + 4'096'000);
  EXPECT_LT(HeapInUseBytes(), before + 1'000'000);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // those keep freed blocks
TEST(HeapControl, GivesFreePagesBack) {
  auto held = Allocate(8000);
  held.clear();
  ReleaseFreeHeap();
  const auto released = ReadProcessMemory();
  held = Allocate(8000);
  const auto with = ReadProcessMemory();
  held.clear();
  ReleaseFreeHeap();
  const auto again = ReadProcessMemory();
  ASSERT_TRUE(released && with && again);
  EXPECT_GT(with->uss_bytes, released->uss_bytes + 30'000'000);
  EXPECT_LT(again->uss_bytes, released->uss_bytes + 3'000'000);
}
#endif

TEST(HeapControl, WithoutAProfilerSamplingIsUnsupported) {
  if (HasProfiler()) GTEST_SKIP() << "this process has one";
  EXPECT_EQ(StartHeapSampling(kEach4Kb).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(DumpHeapSamples(1).error().code, ErrorCode::kUnsupported);
}

TEST(HeapControl, RefusesARateOutOfRange) {
  EXPECT_EQ(StartHeapSampling(9).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(StartHeapSampling(31).error().code, ErrorCode::kInvalidArgument);
}

class HeapSampling : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasProfiler()) GTEST_SKIP() << "no profiler in this process";
  }
  void TearDown() override { static_cast<void>(StopHeapSampling()); }
};

TEST_F(HeapSampling, SeesAllocationsOnlyWhileItIsOn) {
  ASSERT_TRUE(StartHeapSampling(kEach4Kb));
  ASSERT_TRUE(StopHeapSampling());
  const auto unseen = Allocate(1000);
  EXPECT_EQ(Sites(Dump()), 0u);
  ASSERT_TRUE(StartHeapSampling(kEach4Kb));
  auto seen = Allocate(1000);
  EXPECT_GE(Sites(Dump()), 1u);
  ASSERT_TRUE(StopHeapSampling());
  EXPECT_GE(Sites(Dump()), 1u) << "samples live on until their blocks are freed";
  seen = std::vector<std::unique_ptr<char[]>>();  // with its own block
  EXPECT_EQ(Sites(Dump()), 0u);
}

TEST_F(HeapSampling, AStartForgetsEarlierSamplesAndSetsTheRate) {
  ASSERT_TRUE(StartHeapSampling(kEach4Kb));
  const auto held = Allocate(1000);
  ASSERT_TRUE(StartHeapSampling(20));
  const std::string dump = Dump();
  EXPECT_EQ(Sites(dump), 0u);
  EXPECT_TRUE(dump.starts_with("heap_v2/1048576\n")) << dump.substr(0, 40);
}

TEST_F(HeapSampling, AFinerRateHoldsFromTheFirstAllocation) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(StartHeapSampling(26));
    ASSERT_TRUE(StartHeapSampling(kEach4Kb));
    const auto held = Allocate(100);
    EXPECT_GE(Sites(Dump()), 1u);
  }
}

TEST_F(HeapSampling, WritesToAPipeAndWithoutMoreThanThatDescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const UniqueFd out(ends[0]);
  UniqueFd in(ends[1]);
  ASSERT_TRUE(StartHeapSampling(20));
  std::string text;
  std::thread reader([&] {
    char chunk[4096];
    for (ssize_t n; (n = ::read(out.get(), chunk, sizeof(chunk))) > 0;)
      text.append(chunk, static_cast<std::size_t>(n));
  });
  const auto dumped = DumpHeapSamples(in.get());
  in.reset();
  reader.join();
  EXPECT_TRUE(dumped);
  EXPECT_TRUE(text.starts_with("heap_v2/"));
}

TEST_F(HeapSampling, ADescriptorThatIsNoneIsAnError) {
  EXPECT_EQ(DumpHeapSamples(-1).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(DumpHeapSamples(1'000'000).error().code, ErrorCode::kUnavailable);
}

// No descriptor from `end` on can be had from now on.
bool LimitDescriptors(int end) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(end);
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

// As in a sandbox: /proc/self/maps, which jemalloc would add, cannot be opened.
TEST_F(HeapSampling, ADumpNeedsNoOtherFile) {
  ASSERT_TRUE(StartHeapSampling(kEach4Kb));
  const auto held = Allocate(100);
  const UniqueFd file(::memfd_create("heap dump", MFD_CLOEXEC));
  const pid_t child = ::fork();
  if (child == 0) {
    // One more descriptor, for jemalloc's copy of `file`.
    const int next = ::dup(file.get());
    ::close(next);
    if (!LimitDescriptors(next)) ::_exit(2);
    if (DumpHeapSamples(file.get())) ::_exit(3);  // not even that one
    if (!LimitDescriptors(next + 1)) ::_exit(4);
    ::_exit(DumpHeapSamples(file.get()) ? 0 : 5);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  const std::string dump = ReadAll(file.get());
  EXPECT_GE(Sites(dump), 1u);
  EXPECT_EQ(dump.find("MAPPED_LIBRARIES"), std::string::npos);
}

// As a worker does: forked by a process that has allocated a lot and never sampled.
TEST_F(HeapSampling, CanBeSwitchedOnInAForkedChildAlone) {
  const auto held = Allocate(10'000);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!StartHeapSampling(kEach4Kb)) ::_exit(2);
    const auto leaked = Allocate(1000);
    if (Sites(Dump()) == 0) ::_exit(3);
    std::thread other([] { static_cast<void>(Allocate(1000)); });
    other.join();
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(Sites(Dump()), 0u) << "of the parent";
}

}  // namespace
}  // namespace holostat
