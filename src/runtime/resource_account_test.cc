#include "runtime/resource_account.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "ipc/slot.h"

namespace holostat::runtime {
namespace {

TEST(ResourceAccount, IsTheSameWhenNothingWasLost) {
  const auto before = ResourceAccount::Take();
  { const auto area = ipc::AnswerArea::Create(4096).value(); }
  EXPECT_EQ(ResourceAccount::Take(), before);
  EXPECT_EQ(ResourceAccount::Take().LeakedSince(before), "0 leaked");
}

TEST(ResourceAccount, SeesALostDescriptor) {
  const auto before = ResourceAccount::Take();
  const UniqueFd lost(::dup(STDERR_FILENO));
  EXPECT_EQ(ResourceAccount::Take().LeakedSince(before), "leaked: 1 descriptor");
}

TEST(ResourceAccount, SeesALostMapping) {
  const auto before = ResourceAccount::Take();
  const auto lost = ipc::AnswerArea::Create(4096).value();
  EXPECT_EQ(ResourceAccount::Take().LeakedSince(before), "leaked: 1 descriptor, 1 mapping");
}

TEST(ResourceAccount, SeesZombies) {
  const auto before = ResourceAccount::Take();
  const pid_t first = ::fork();
  if (first == 0) ::_exit(0);
  const pid_t second = ::fork();
  if (second == 0) ::_exit(0);
  EXPECT_EQ(ResourceAccount::Take().LeakedSince(before), "leaked: 2 children");
  ::waitpid(first, nullptr, 0);
  EXPECT_EQ(ResourceAccount::Take().LeakedSince(before), "leaked: 1 child");
  ::waitpid(second, nullptr, 0);
}

TEST(ResourceAccount, HoldingLessIsNoLeak) {
  UniqueFd open(::dup(STDERR_FILENO));
  const auto before = ResourceAccount::Take();
  open.reset();
  EXPECT_EQ(ResourceAccount::Take().LeakedSince(before), "0 leaked");
}

}  // namespace
}  // namespace holostat::runtime
