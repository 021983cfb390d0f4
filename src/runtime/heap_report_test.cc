#include "runtime/heap_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/heap_control.h"
#include "runtime/heap_requests.h"

namespace holostat::runtime {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kBlockBytes = 4096;
constexpr std::size_t kBlocks = 8192;  // 32 MB
constexpr double kLeaked = kBlockBytes * kBlocks;

std::vector<void*> leaked;  // so that it can be given back at the end of a test

constexpr int kLeakLine = __LINE__ + 3;
[[gnu::noinline]] void LeakHere() {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    leaked.push_back(std::malloc(kBlockBytes));
  }
}

[[gnu::noinline]] void GiveBackHere() {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    void* volatile block = std::malloc(kBlockBytes);
    std::free(block);
  }
}

[[gnu::noinline]] std::vector<std::unique_ptr<char[]>> FillContainerHere() {
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(std::make_unique<char[]>(kBlockBytes));
  return blocks;
}

HeapSnapshot Take() {
  const auto answer = HandleOwnHeapRequest("heap dump", "test");
  EXPECT_TRUE(answer);
  auto snapshot = ParseHeapSnapshot(*answer);
  EXPECT_TRUE(snapshot);
  return *snapshot;
}

class HeapReportOfThisProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!StartHeapSampling(16)) GTEST_SKIP() << "no profiler in this process";
    leaked.reserve(kBlocks);
  }
  void TearDown() override {
    static_cast<void>(StopHeapSampling());
    for (void* block : leaked) std::free(block);
    leaked.clear();
  }
};

TEST_F(HeapReportOfThisProcess, NamesTheFunctionAndLineThatLeaks) {
  const HeapSnapshot before = Take();
  LeakHere();
  HeapSnapshot after = Take();
  after.taken_ms = before.taken_ms + 30'000;
  const auto report = MakeHeapReport(&before, after, 3);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->sites.empty());
  const HeapReportSite& top = report->sites[0];
  EXPECT_THAT(top.stack[0].function, EndsWith("::LeakHere")) << ToText(*report);
  EXPECT_THAT(top.stack[0].file, EndsWith("heap_report_test.cc"));
  EXPECT_EQ(top.stack[0].line, kLeakLine);
  EXPECT_NEAR(top.bytes, kLeaked, kLeaked / 4);
  EXPECT_NEAR(top.blocks, kBlocks, kBlocks / 4.0);
  ASSERT_TRUE(top.bytes_per_minute);
  EXPECT_NEAR(*top.bytes_per_minute, 2 * top.bytes, 1);
  EXPECT_THAT(ToText(*report), HasSubstr("LeakHere (src/runtime/heap_report_test.cc:"));
}

TEST_F(HeapReportOfThisProcess, DoesNotNameAFunctionThatGivesBack) {
  const HeapSnapshot before = Take();
  GiveBackHere();
  const HeapSnapshot after = Take();
  const auto report = MakeHeapReport(&before, after, 100);
  ASSERT_TRUE(report);
  EXPECT_THAT(ToText(*report), Not(HasSubstr("GiveBackHere")));
  EXPECT_LT(report->bytes, kLeaked / 4);
}

TEST_F(HeapReportOfThisProcess, PassesOverContainersToWhoFillsThem) {
  const auto held = FillContainerHere();
  const auto report = MakeHeapReport(nullptr, Take(), 1);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->sites.size(), 1u);
  EXPECT_THAT(report->sites[0].stack[0].function, EndsWith("::FillContainerHere"))
      << ToText(*report);
}

TEST(HeapReport, SnapshotsOfTwoProcessesAreRefused) {
  const HeapSnapshot one{.pid = 1, .profile = "heap_v2/1\n  t*: 0: 0 [0: 0]\n"};
  HeapSnapshot two = one;
  two.pid = 2;
  EXPECT_EQ(MakeHeapReport(&one, two, 1).error().code, ErrorCode::kInvalidArgument);
}

std::vector<CodeFrame> Stack(std::initializer_list<const char*> functions) {
  std::vector<CodeFrame> stack;
  for (const char* function : functions) stack.push_back({.function = function});
  return stack;
}

TEST(HeapSite, IsTheFirstFrameThatDecided) {
  EXPECT_EQ(SiteOf(Stack({"prof_backtrace_impl", "je_malloc_default", "Leak", "main"})), 2u);
  EXPECT_EQ(SiteOf(Stack({"je_malloc_default", "malloc", "operator new", "Leak"})), 3u);
  EXPECT_EQ(SiteOf(Stack({"je_malloc_default", "holostat::(anonymous namespace)::Count", "malloc",
                          "operator new", "std::__new_allocator<...>::allocate",
                          "std::vector<...>::push_back", "fmt::format", "Leak", "main"})),
            7u);
}

TEST(HeapSite, IsNotTheCLibrary) {
  auto stack = Stack({"malloc", "strdup", "Leak"});
  stack[1].module = "/usr/lib/libc.so.6";
  EXPECT_EQ(SiteOf(stack), 2u);
}

TEST(HeapSite, IsNotAContainerOfOursNorCodeWithoutAName) {
  auto stack = Stack({"malloc", "HeapAligned", "", "xnn_create", "main"});
  stack[1].file = "/build/src/engine/xnn_memory.cc";
  EXPECT_EQ(SiteOf(stack), 3u);
}

TEST(HeapSite, OfAStackWithNothingElseIsBehindTheAllocator) {
  EXPECT_EQ(SiteOf(Stack({"malloc", "std::a", "std::b"})), 1u);
  EXPECT_EQ(SiteOf(Stack({"je_x", "malloc"})), 0u);
  EXPECT_EQ(SiteOf(Stack({"Leak"})), 0u);
}

HeapReport Invented() {
  HeapReportSite site{.bytes = 3e6, .blocks = 30, .bytes_per_minute = 6e6, .stacks = 2};
  site.stack = {{.function = "Leak", .file = "/a/b/c/d/leak.cc", .line = 7, .module = "/bin/x"},
                {.function = "", .module = "/lib/libz.so.1"}};
  HeapReport report{.pid = 5,
                    .process = "worker 3",
                    .sample_bytes = 65536,
                    .seconds = 30.0,
                    .is_growth = true,
                    .bytes = 4e6,
                    .blocks = 40,
                    .sites_in_all = 9};
  report.sites.push_back(site);
  return report;
}

TEST(HeapReport, IsATextForAPerson) {
  EXPECT_EQ(ToText(Invented()),
            "worker 3 (pid 5): 4.0 MB more in 30.0 s, estimated from a sample each 65.5 kB; 1 of 9 "
            "sites\n"
            "\n+3.0 MB in 30 blocks, 75 %, 6.0 MB a minute, most of 2 stacks:\n"
            "    Leak (c/d/leak.cc:7)\n"
            "    ? (libz.so.1)\n");
  EXPECT_EQ(ToText({.pid = 5, .process = "track", .is_growth = true}),
            "track (pid 5): nothing grew\n");
}

TEST(HeapReport, IsJsonForAProgram) {
  const auto json = nlohmann::json::parse(ToJson(Invented()));
  EXPECT_EQ(json["schema"], "holostat.heap/1");
  EXPECT_EQ(json["seconds"], 30.0);
  const auto& site = json["sites"][0];
  EXPECT_EQ(site["function"], "Leak");
  EXPECT_EQ(site["line"], 7);
  EXPECT_EQ(site["bytes"], 3e6);
  EXPECT_EQ(site["stack"][1]["module"], "/lib/libz.so.1");
}

}  // namespace
}  // namespace holostat::runtime
