#include "runtime/memory_meter.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "base/heap_calls.h"
#include "base/test_dir.h"

namespace holostat::runtime {
namespace {

namespace fs = std::filesystem;

class ControlGroupMeterTest : public ::testing::Test {
 protected:
  void Write(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void WriteVersion2() {
    Write("proc/self/cgroup", "0::/a/b\n");
    Write("proc/pressure/memory", "some avg10=1.50 avg60=9 avg300=9 total=9\nfull avg10=8\n");
    for (const char* folder : {"sys/fs/cgroup/a", "sys/fs/cgroup/a/b"}) {
      const fs::path group = folder;
      Write(group / "memory.max", "max\n");
      Write(group / "memory.current", "1000\n");
      Write(group / "memory.stat", "anon 1\ninactive_file_x 7\ninactive_file 200\n");
      Write(group / "memory.events", "low 0\noom 9\noom_kill 3\noom_group_kill 1\n");
    }
  }
  void WriteVersion1() {
    Write("proc/self/cgroup", "4:memory:/a\n0::/\n");
    const fs::path group = "sys/fs/cgroup/memory/a";
    Write(group / "memory.limit_in_bytes", "5000\n");
    Write(group / "memory.usage_in_bytes", "3000\n");
    Write(group / "memory.stat", "inactive_file 1\ntotal_inactive_file 400\n");
    Write(group / "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  }
  MeterReading Read() {
    const auto meter = OpenControlGroupMeter(root_.path());
    if (meter == nullptr) return {};
    return meter->Read().value_or(MeterReading{});
  }

  TestDir root_;
};

TEST_F(ControlGroupMeterTest, IsAbsentWithoutAMemoryController) {
  EXPECT_EQ(OpenControlGroupMeter(root_.path()), nullptr);
  Write("proc/self/cgroup", "4:memory:/a\n0::/\n");
  EXPECT_EQ(OpenControlGroupMeter(root_.path()), nullptr);
}

TEST_F(ControlGroupMeterTest, ReadsVersion2) {
  WriteVersion2();
  EXPECT_EQ(OpenControlGroupMeter(root_.path())->name(), "cgroup v2");
  const MeterReading reading = Read();
  EXPECT_EQ(reading.used_bytes, 800u);
  EXPECT_EQ(reading.limit_bytes, std::nullopt);
  EXPECT_EQ(reading.oom_kills, 3u);
  EXPECT_EQ(reading.stall_percent, 1.5);
}

TEST_F(ControlGroupMeterTest, ReadsVersion1) {
  WriteVersion1();
  EXPECT_EQ(OpenControlGroupMeter(root_.path())->name(), "cgroup v1");
  const MeterReading reading = Read();
  EXPECT_EQ(reading.used_bytes, 2600u);
  EXPECT_EQ(reading.limit_bytes, 5000u);
  EXPECT_EQ(reading.oom_kills, 2u);
  EXPECT_EQ(reading.stall_percent, std::nullopt);
}

TEST_F(ControlGroupMeterTest, MeasuresTheGroupWithTheSmallestLimit) {
  WriteVersion2();
  Write("sys/fs/cgroup/a/memory.max", "4000\n");
  Write("sys/fs/cgroup/a/memory.current", "3000\n");
  EXPECT_EQ(Read().used_bytes, 2800u);
  EXPECT_EQ(Read().limit_bytes, 4000u);
  Write("sys/fs/cgroup/a/b/memory.max", "3500\n");
  EXPECT_EQ(Read().used_bytes, 800u);
  EXPECT_EQ(Read().limit_bytes, 3500u);
}

TEST_F(ControlGroupMeterTest, FollowsALimitThatIsLoweredWhileItRuns) {
  WriteVersion2();
  Write("sys/fs/cgroup/a/b/memory.max", "3500\n");
  const auto meter = OpenControlGroupMeter(root_.path());
  EXPECT_EQ(meter->Read()->limit_bytes, 3500u);
  Write("sys/fs/cgroup/a/memory.max", "1200\n");
  Write("sys/fs/cgroup/a/memory.current", "1100\n");
  EXPECT_EQ(meter->Read()->limit_bytes, 1200u);
  EXPECT_EQ(meter->Read()->used_bytes, 900u);
}

TEST_F(ControlGroupMeterTest, PrefersThePressureOfTheGroup) {
  WriteVersion2();
  Write("sys/fs/cgroup/a/b/memory.pressure", "some avg10=42.25 avg60=0 avg300=0 total=0\n");
  EXPECT_EQ(Read().stall_percent, 42.25);
}

TEST_F(ControlGroupMeterTest, FailsWhenTheUsageIsNoNumber) {
  WriteVersion2();
  const auto meter = OpenControlGroupMeter(root_.path());
  Write("sys/fs/cgroup/a/b/memory.current", "");
  EXPECT_EQ(meter->Read().error().code, ErrorCode::kUnavailable);
}

TEST_F(ControlGroupMeterTest, UsesNothingWhenMoreIsDroppableThanUsed) {
  WriteVersion2();
  Write("sys/fs/cgroup/a/b/memory.stat", "inactive_file 5000\n");
  EXPECT_EQ(Read().used_bytes, 0u);
}

TEST_F(ControlGroupMeterTest, AnyBytesGiveAReadingOrAnError) {
  std::mt19937 random(1);
  const std::string seed =
      "0::/a/b\n4:memory:/a\nsome avg10=nan inf\noom_kill 99999999999999999999\n";
  for (int round = 0; round < 30; ++round) {
    WriteVersion2();
    WriteVersion1();
    for (const auto& entry : fs::recursive_directory_iterator(root_.path())) {
      if (!entry.is_regular_file() || random() % 3 != 0) continue;
      std::string text = seed;
      for (int i = 0; i < 6; ++i) text[random() % text.size()] = static_cast<char>(random());
      std::ofstream(entry.path()) << text.substr(random() % text.size());
    }
    const auto meter = OpenControlGroupMeter(root_.path());
    if (meter != nullptr) std::ignore = meter->Read();
  }
}

TEST_F(ControlGroupMeterTest, MakesNoHeapCallToRead) {
  WriteVersion2();
  const auto meter = OpenControlGroupMeter(root_.path());
  const auto before = HeapCalls();
  bool is_ok = true;
  for (int i = 0; i < 5; ++i) is_ok &= meter->Read().has_value();
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_TRUE(is_ok);
}

// A group of version 1 with a limit of 64 MB, below the root; removed at the end.
class LiveGroup {
 public:
  LiveGroup() : folder_("/sys/fs/cgroup/memory/holo-gov-test-" + std::to_string(::getpid())) {
    std::error_code error;
    fs::create_directory(folder_, error);
    std::ofstream limit(folder_ / "memory.limit_in_bytes");
    is_usable_ = static_cast<bool>(limit << (64u << 20) << std::flush);
  }
  LiveGroup(const LiveGroup&) = delete;
  LiveGroup& operator=(const LiveGroup&) = delete;
  ~LiveGroup() { ::rmdir(folder_.c_str()); }

  bool is_usable() const { return is_usable_; }
  bool Join() const {
    return static_cast<bool>(std::ofstream(folder_ / "cgroup.procs") << ::getpid() << std::flush);
  }

 private:
  fs::path folder_;
  bool is_usable_ = false;
};

// In the group: 0 if the meter sees its limit and 16 MB that are touched.
int CheckFromInside(const LiveGroup& group) {
  if (!group.Join()) return 2;
  const auto meter = OpenControlGroupMeter();
  if (meter == nullptr) return 3;
  const auto before = meter->Read();
  const std::vector<char> touched(16u << 20, 1);
  const auto after = meter->Read();
  if (!before || !after || touched.back() != 1) return 4;
  if (after->limit_bytes != 64u << 20) return 5;
  return after->used_bytes >= before->used_bytes + (14u << 20) ? 0 : 6;
}

TEST(LiveControlGroup, ShowsItsLimitAndWhatIsTouched) {
  const LiveGroup group;
  if (!group.is_usable()) GTEST_SKIP() << "no control group of version 1 can be made here";
  const pid_t child = ::fork();
  if (child == 0) ::_exit(CheckFromInside(group));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace holostat::runtime
