// Alone in its program: memory that another test gave back would be there to be used again.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "holostat/holistic_tracker.h"
#include "vision/golden_support.h"

namespace holostat::vision {
namespace {

std::uint64_t AddressSpaceBytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

constexpr int kWorks = 0;  // else an ErrorCode

// What Create gives in a process that may take `bytes` more of address space.
int CreateWithin(std::uint64_t bytes, const HolisticTracker::Options& options) {
  const std::uint64_t limit = AddressSpaceBytes() + bytes;
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limits{limit, limit};
    if (::setrlimit(RLIMIT_AS, &limits) != 0) ::_exit(static_cast<int>(ErrorCode::kInternal));
    const auto tracker = HolisticTracker::Create(options);
    ::_exit(tracker ? kWorks : static_cast<int>(tracker.error().code));
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  return WEXITSTATUS(status);
}

TEST(OutOfMemory, InXnnpackIsAnErrorWhereverItHappens) {
  if (!HaveModels()) GTEST_SKIP() << "no models in " << ModelsDir();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs the address space for itself";
#endif
  const HolisticTracker::Options options{
      .models_dir = ModelsDir(), .complexity = Complexity::kLite, .segmentation = true};
  constexpr std::uint64_t kMegabyte = 1 << 20, kStep = 2 * kMegabyte;
  constexpr std::uint64_t kEnough = 1024 * kMegabyte;
  std::uint64_t bytes = 0;
  int result = CreateWithin(bytes, options);
  ASSERT_NE(result, kWorks);
  while (result != kWorks && bytes < kEnough) {
    EXPECT_EQ(result, static_cast<int>(ErrorCode::kOverloaded)) << "within " << bytes << " bytes";
    bytes += kStep;
    result = CreateWithin(bytes, options);
  }
  EXPECT_EQ(result, kWorks);
  EXPECT_GT(bytes, 10 * kStep);
}

}  // namespace
}  // namespace holostat::vision
