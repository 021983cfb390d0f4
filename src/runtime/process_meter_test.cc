#include "runtime/process_meter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/heap_calls.h"
#include "base/test_dir.h"
#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

namespace fs = std::filesystem;

ProcessSample Own() {
  const auto sample = SampleProcess(::getpid(), SampleDetail::kMemoryAndMappings);
  EXPECT_TRUE(sample);
  return sample.value_or(ProcessSample{});
}

std::size_t Entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// A child that runs `work`, which says its exit code.
template <class Work>
pid_t Fork(Work work) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(work());
  return pid;
}

// A child that has exited and is waited for when this ends.
class Zombie {
 public:
  Zombie() : pid_(Fork([] { return 0; })) {
    siginfo_t info;
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  Zombie(const Zombie&) = delete;
  Zombie& operator=(const Zombie&) = delete;
  ~Zombie() { ::waitpid(pid_, nullptr, 0); }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST(ProcessMeter, SeesPrivateAndSharedMemory) {
  const ProcessSample before = Own();
  const std::vector<char> touched(16u << 20, 1);
  const ProcessSample after = Own();
  EXPECT_EQ(touched.back(), 1);
  EXPECT_GE(after.uss_bytes, before.uss_bytes + (15u << 20));
  EXPECT_GE(after.pss_bytes, after.uss_bytes);
  EXPECT_GE(after.rss_bytes, after.pss_bytes);
}

TEST(ProcessMeter, CountsEachFdButItsOwn) {
  const ProcessSample before = Own();
  EXPECT_EQ(before.fds + 1, Entries("/proc/self/fd"));  // the iterator has one
  std::vector<UniqueFd> fds(300);                       // more than fit into one read of the folder
  for (UniqueFd& fd : fds) fd.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(Own().fds, before.fds + 300);
  fds.clear();
  EXPECT_EQ(Own().fds, before.fds);
}

TEST(ProcessMeter, CountsThreads) {
  const std::uint32_t before = Own().threads;
  EXPECT_EQ(before, Entries("/proc/self/task"));
  std::barrier barrier(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { barrier.arrive_and_wait(); });
  EXPECT_EQ(Own().threads, before + 3);
  barrier.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
}

TEST(ProcessMeter, CountsMappingsWhenAsked) {
  const std::uint32_t before = Own().mappings;
  EXPECT_GT(before, 0u);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t count = 201;  // kept apart by alternating protections
  void* area = ::mmap(nullptr, count * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(area, MAP_FAILED);
  for (std::size_t i = 0; i < count; i += 2) {
    ::mprotect(static_cast<char*>(area) + i * page, page, PROT_READ);
  }
  EXPECT_NEAR(Own().mappings, before + static_cast<double>(count), 2);  // the ends may join others
  ::munmap(area, count * page);
  EXPECT_EQ(SampleProcess(::getpid(), SampleDetail::kMemory)->mappings, 0u);
}

TEST(ProcessMeter, SeesAnotherProcess) {
  const ProcessSample own = Own();
  const pid_t child = Fork([] { return ::pause(); });
  const auto sample = SampleProcess(child, SampleDetail::kMemory);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->fds, own.fds);
  EXPECT_EQ(sample->threads, 1u);
  EXPECT_GT(sample->rss_bytes, 0u);
  EXPECT_LT(sample->uss_bytes, own.rss_bytes);
}

TEST(ProcessMeter, MakesNoHeapCall) {
  const auto before = HeapCalls();
  bool is_ok = true;
  for (int i = 0; i < 10; ++i) {
    is_ok &= SampleProcess(::getpid(), SampleDetail::kMemoryAndMappings).has_value();
  }
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_TRUE(is_ok);
}

TEST(ProcessMeter, KeepsNoFdWhenItFails) {
  const std::uint32_t before = Own().fds;
  const Zombie zombie;
  EXPECT_FALSE(SampleProcess(zombie.pid(), SampleDetail::kMemory));
  EXPECT_EQ(Own().fds, before);
}

TEST(ProcessMeter, DoesNotFindAProcessThatIsGoneNorAZombie) {
  pid_t gone = 0;
  {
    const Zombie zombie;
    gone = zombie.pid();
    EXPECT_EQ(SampleProcess(gone, SampleDetail::kMemory).error().code, ErrorCode::kNotFound);
  }
  for (const pid_t pid : {gone, 0, -1}) {
    const auto sample = SampleProcess(pid, SampleDetail::kMemory);
    ASSERT_FALSE(sample) << pid;
    EXPECT_EQ(sample.error().code, ErrorCode::kNotFound) << sample.error().message;
  }
}

TEST(ProcessMeter, WithoutTheRightToReadIsUnavailable) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give its rights away";
  const pid_t child = Fork([] {
    if (::setresuid(65534, 65534, 65534) != 0) return 2;
    const auto sample = SampleProcess(1, SampleDetail::kMemory);
    return !sample && sample.error().code == ErrorCode::kUnavailable ? 0 : 1;
  });
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

class FakeProc : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(proc_ / "self");
    fs::create_directories(proc_ / "77/fd");
    for (const char* fd : {"0", "1", "2", "..x"}) proc_.Write(fs::path("77/fd") / fd, "");
    proc_.Write("77/status", "Name:\tThreads:\nThreads:\t5\nSigQ:\t9\n");
    proc_.Write("77/maps", "a\nb\nc\n");
    proc_.Write("77/smaps_rollup",
                "0-1 ---p 0 0:0 0 [rollup]\nRss: 100 kB\nPss: 50 kB\nPss_Dirty: 7 kB\n"
                "Private_Clean: 1 kB\nPrivate_Dirty: 20 kB\nPrivate_Hugetlb: 4 kB\nSwap: 9 kB\n");
  }
  Result<ProcessSample> Sample(pid_t pid = 77) {
    return SampleProcess(pid, SampleDetail::kMemoryAndMappings, proc_.path().c_str());
  }
  TestDir proc_;
};

TEST_F(FakeProc, IsReadFieldByField) {
  const auto sample = Sample();
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->rss_bytes, 100u * 1024);
  EXPECT_EQ(sample->pss_bytes, 50u * 1024);
  EXPECT_EQ(sample->uss_bytes, 25u * 1024);
  EXPECT_EQ(sample->fds, 4u);
  EXPECT_EQ(sample->threads, 5u);
  EXPECT_EQ(sample->mappings, 3u);
}

TEST_F(FakeProc, NotMountedIsUnavailable) {
  fs::remove(proc_ / "self");
  EXPECT_EQ(Sample(78).error().code, ErrorCode::kUnavailable);
}

TEST_F(FakeProc, AFileThatIsMissingIsAnErrorNotAZero) {
  for (const char* name : {"smaps_rollup", "status", "maps", "fd"}) {
    fs::rename(proc_ / "77" / name, proc_ / "away");
    EXPECT_EQ(Sample().error().code, ErrorCode::kNotFound) << name;
    fs::rename(proc_ / "away", proc_ / "77" / name);
  }
}

TEST_F(FakeProc, AnyBytesGiveAnAnswer) {
  std::mt19937 random(3);
  const std::string seed =
      "Rss: 100 kB\nPss: 50 kB\nPrivate_Dirty: 18446744073709551 kB\nThreads:\t5\n";
  for (int round = 0; round < 200; ++round) {
    std::string text = seed + seed;
    for (int i = 0; i < 8; ++i) text[random() % text.size()] = static_cast<char>(random());
    text.resize(random() % text.size());
    for (const char* name : {"77/smaps_rollup", "77/status", "77/maps"}) proc_.Write(name, text);
    EXPECT_TRUE(Sample());
  }
}

}  // namespace
}  // namespace holostat::runtime
