#include "base/process_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace holostat {
namespace {

TEST(ProcessMemory, SeesPagesThatWereTouched) {
  const auto before = ReadProcessMemory();
  ASSERT_TRUE(before);
  std::vector<char> touched(64u << 20, 1);
  const auto after = ReadProcessMemory();
  ASSERT_TRUE(after);
  EXPECT_EQ(touched[12345], 1);
  EXPECT_GE(after->uss_bytes, before->uss_bytes + (60u << 20));
  EXPECT_GE(after->rss_bytes, after->uss_bytes);
  EXPECT_GE(after->pss_bytes, after->uss_bytes);
  EXPECT_GE(after->peak_rss_bytes, before->rss_bytes + (60u << 20));
}

}  // namespace
}  // namespace holostat
