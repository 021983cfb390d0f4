#include "runtime/heap_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "base/read_file.h"
#include "runtime/heap_profile_exercise.h"

namespace holostat::runtime {
namespace {

constexpr char kTwoSites[] =
    "heap_v2/65536\n"
    "  t*: 13: 45056 [0: 0]\n"
    "  t0: 12: 40960 [0: 0]\n"
    "  t1: 1: 4096 [0: 0]\n"
    "@ 0x10 0xabcdef012345\n"
    "  t*: 10: 40960 [0: 0]\n"
    "  t0: 10: 40960 [0: 0]\n"
    "@ 0x20\n"
    "  t*: 1: 1048576 [7: 9]\n"
    "@ 0x30\n"
    "  t*: 0: 0 [3: 300]\n";

TEST(HeapProfile, EstimatesEachSiteMostBytesFirst) {
  const auto profile = ParseHeapProfile(kTwoSites);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->sample_bytes, 65536u);
  ASSERT_EQ(profile->sites.size(), 2u) << "a site without a living block is left out";
  EXPECT_EQ(profile->sites[0].stack, std::vector<std::uint64_t>{0x20});
  EXPECT_NEAR(profile->sites[0].bytes, 1048576, 1) << "large blocks are always sampled";
  EXPECT_NEAR(profile->sites[0].blocks, 1, 1e-5);
  const double chance = 1 - std::exp(-4096.0 / 65536);
  EXPECT_EQ(profile->sites[1].stack, (std::vector<std::uint64_t>{0x10, 0xabcdef012345}));
  EXPECT_NEAR(profile->sites[1].bytes, 40960 / chance, 1e-3);
  EXPECT_NEAR(profile->sites[1].blocks, 10 / chance, 1e-6);
}

TEST(HeapProfile, MayHaveNoSitesAndMayBeFollowedByMappings) {
  const std::string empty = "heap_v2/1024\n  t*: 0: 0 [0: 0]\n";
  for (const std::string& text : {empty, empty + "\nMAPPED_LIBRARIES:\nanything"}) {
    const auto profile = ParseHeapProfile(text);
    ASSERT_TRUE(profile);
    EXPECT_TRUE(profile->sites.empty());
  }
}

TEST(HeapProfile, EveryCutTextIsRefusedOrAProfileOfFewerSites) {
  const std::string text = kTwoSites;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto profile = ParseHeapProfile(text.substr(0, length));
    if (profile)
      EXPECT_LE(profile->sites.size(), 2u);
    else
      EXPECT_EQ(profile.error().code, ErrorCode::kCorruptData);
  }
}

TEST(HeapProfile, WhatJemallocCannotHaveWrittenIsRefused) {
  const std::string head = "heap_v2/1024\n  t*: 0: 0 [0: 0]\n";
  for (const std::string& text :
       {std::string("heap_v1/1024\n  t*: 0: 0 [0: 0]\n"),
        std::string("heap_v2/0\n  t*: 0: 0 [0: 0]\n"),
        std::string("heap_v2/99999999999999999999\n  t*: 0: 0 [0: 0]\n"),
        head + "@\n  t*: 1: 1 [0: 0]\n", head + "@ 0x\n  t*: 1: 1 [0: 0]\n",
        head + "@ 0x12345678123456789\n  t*: 1: 1 [0: 0]\n", head + "@ 0x1\n",
        head + "@ 0x1\n  t*: 1: 0 [0: 0]\n", head + "@ 0x1\n  t*: 0: 1 [0: 0]\n",
        head + "@ 0x1\n  t*: -1: 1 [0: 0]\n", head + "@ 0x1\n  t*: 5: 4 [0: 0]\n",
        head + "@ 0x1\n  t*: 1: 1 [0: 0]\nmore", head + "more"}) {
    const auto profile = ParseHeapProfile(text);
    ASSERT_FALSE(profile) << text;
    EXPECT_EQ(profile.error().code, ErrorCode::kCorruptData);
  }
}

TEST(HeapProfile, StacksAndSitesAreBounded) {
  const std::string head = "heap_v2/1024\n  t*: 0: 0 [0: 0]\n";
  std::string stack = "@";
  for (int i = 0; i < 128; ++i) stack += " 0x1";
  EXPECT_TRUE(ParseHeapProfile(head + stack + "\n  t*: 1: 1 [0: 0]\n"));
  EXPECT_FALSE(ParseHeapProfile(head + stack + " 0x1\n  t*: 1: 1 [0: 0]\n"));
  std::string sites = head;
  for (int i = 0; i < 100'000; ++i) sites += "@ 0x1\n  t*: 1: 1 [0: 0]\n";
  EXPECT_TRUE(ParseHeapProfile(sites));
  EXPECT_FALSE(ParseHeapProfile(sites + "@ 0x1\n  t*: 1: 1 [0: 0]\n"));
}

TEST(HeapProfile, GrowthIsTheDifferenceOfEachStack) {
  const HeapProfile before{.sample_bytes = 1,
                           .sites = {{.stack = {1}, .bytes = 100, .blocks = 10},
                                     {.stack = {2}, .bytes = 50, .blocks = 5},
                                     {.stack = {4}, .bytes = 7, .blocks = 1}}};
  const HeapProfile after{.sample_bytes = 1,
                          .sites = {{.stack = {1}, .bytes = 130, .blocks = 13},
                                    {.stack = {2}, .bytes = 40, .blocks = 4},
                                    {.stack = {3}, .bytes = 60, .blocks = 6},
                                    {.stack = {4}, .bytes = 7, .blocks = 1}}};
  const HeapProfile grown = GrownSince(before, after);
  ASSERT_EQ(grown.sites.size(), 2u);
  EXPECT_EQ(grown.sites[0].stack, std::vector<std::uint64_t>{3});
  EXPECT_EQ(grown.sites[0].bytes, 60);
  EXPECT_EQ(grown.sites[1].stack, std::vector<std::uint64_t>{1});
  EXPECT_EQ(grown.sites[1].bytes, 30);
  EXPECT_EQ(grown.sites[1].blocks, 3);
}

TEST(HeapProfile, TheCorpusOfTheFuzzerHoldsItsPromises) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(HOLOSTAT_SOURCE_DIR "/fuzz/corpus/heap_profile")) {
    const auto bytes = ReadFile(entry.path(), 1u << 20);
    ASSERT_TRUE(bytes);
    ExerciseHeapProfile({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    ++files;
  }
  EXPECT_GE(files, 4u);
}

}  // namespace
}  // namespace holostat::runtime
