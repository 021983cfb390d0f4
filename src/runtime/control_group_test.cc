#include "runtime/control_group.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_dir.h"

namespace holostat::runtime {
namespace {

namespace fs = std::filesystem;

class ControlGroupTest : public ::testing::Test {
 protected:
  void Write(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  TestDir root_;
};

TEST_F(ControlGroupTest, NoControlGroupIsNoLimit) {
  EXPECT_EQ(ControlGroupMemoryLimit(root_.path()), std::nullopt);
}

TEST_F(ControlGroupTest, TheTightestGroupAboveUsCounts) {
  Write("proc/self/cgroup", "0::/system.slice/holostat.service\n");
  Write("sys/fs/cgroup/system.slice/memory.max", "1000000\n");
  Write("sys/fs/cgroup/system.slice/holostat.service/memory.max", "max\n");
  EXPECT_EQ(ControlGroupMemoryLimit(root_.path()), 1000000u);
  Write("sys/fs/cgroup/system.slice/holostat.service/memory.max", "5000\n");
  EXPECT_EQ(ControlGroupMemoryLimit(root_.path()), 5000u);
}

TEST_F(ControlGroupTest, VersionOneSaysNoLimitByAHugeNumber) {
  Write("proc/self/cgroup", "11:cpu:/a\n5:memory:/a\n");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(ControlGroupMemoryLimit(root_.path()), std::nullopt);
  Write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "52428800\n");
  EXPECT_EQ(ControlGroupMemoryLimit(root_.path()), 52428800u);
}

}  // namespace
}  // namespace holostat::runtime
