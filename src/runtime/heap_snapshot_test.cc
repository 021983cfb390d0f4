#include "runtime/heap_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace holostat::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kDump[] = "heap_v2/65536\n  t*: 0: 0 [0: 0]\n";

TEST(HeapSnapshot, ComesBackAsItWasWritten) {
  const HeapSnapshot snapshot{.pid = 4711,
                              .process = "worker 3",
                              .taken_ms = 1'796'066'589'123,
                              .maps = "1000-2000 r-xp 0 fe:00 1 /bin/x\n",
                              .profile = kDump};
  const auto again = ParseHeapSnapshot(FormatHeapSnapshot(snapshot));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->pid, 4711);
  EXPECT_EQ(again->process, "worker 3");
  EXPECT_EQ(again->taken_ms, 1'796'066'589'123);
  EXPECT_EQ(again->maps, snapshot.maps);
  EXPECT_EQ(again->profile, kDump);
}

TEST(HeapSnapshot, TakesTheMappingsFromTheProcessOrFromItsDump) {
  const auto of_process = MakeHeapSnapshot(::getpid(), "test", kDump);
  ASSERT_TRUE(of_process);
  EXPECT_THAT(of_process->maps, HasSubstr("libc.so"));
  EXPECT_THAT(of_process->maps, Not(HasSubstr("[heap]")));
  const auto of_dump = MakeHeapSnapshot(
      1, "test", std::string(kDump) + "\nMAPPED_LIBRARIES:\n1-2 r-xp 0 0 0 /a\n3-4 rw-p 0 0 0\n");
  ASSERT_TRUE(of_dump);
  EXPECT_EQ(of_dump->maps, "1-2 r-xp 0 0 0 /a\n");
  EXPECT_EQ(of_dump->profile, kDump);
  EXPECT_EQ(MakeHeapSnapshot(1 << 30, "gone", kDump).error().code, ErrorCode::kUnavailable);
}

TEST(HeapSnapshot, TheNameOfAProcessStaysOnItsLine) {
  const HeapSnapshot snapshot{.pid = 1, .process = "a\npid 2" + std::string(1000, 'x')};
  const auto again = ParseHeapSnapshot(FormatHeapSnapshot(snapshot));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->pid, 1);
  EXPECT_EQ(again->process.substr(0, 8), "a?pid 2x");
}

TEST(HeapSnapshot, ADumpOfAnyProgramWithJemallocIsOneToo) {
  const auto snapshot =
      ParseHeapSnapshot(std::string(kDump) + "\nMAPPED_LIBRARIES:\n1-2 r-xp 0 0 0 /a\n");
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->profile, kDump);
  EXPECT_EQ(snapshot->taken_ms, 0);
}

TEST(HeapSnapshot, WhatIsCutOrHasMoreIsRefused) {
  const std::string text = FormatHeapSnapshot(
      {.pid = 1, .process = "x", .taken_ms = 2, .maps = "1-2 r-xp 0 0 0 /a\n", .profile = kDump});
  ASSERT_TRUE(ParseHeapSnapshot(text));
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(ParseHeapSnapshot(text.substr(0, length))) << length;
  EXPECT_FALSE(ParseHeapSnapshot(text + "x"));
  EXPECT_FALSE(ParseHeapSnapshot("holostat-heap/1\npid 1\nprocess x\ntaken 1\nmaps -1\n"));
  EXPECT_FALSE(ParseHeapSnapshot(
      "holostat-heap/1\npid 1\nprocess x\ntaken 1\nmaps 9223372036854775807\nprofile 0\n"));
}

}  // namespace
}  // namespace holostat::runtime
