#include "ipc/slot.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "base/test_dir.h"
#include "ipc/fd_count.h"
#include "ipc/memfd.h"

namespace holostat::ipc {
namespace {

constexpr std::size_t kTooMuch = std::size_t{1} << 62;  // no address space has it
constexpr int kFourSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;

Slot SealedSlot(std::string_view text) {
  auto slot = Slot::Create(text.size()).value();
  std::ranges::transform(text, slot.bytes().begin(), [](char c) { return std::byte(c); });
  EXPECT_TRUE(slot.Seal());
  return slot;
}

std::string TextOf(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) text += static_cast<char>(b);
  return text;
}

ErrorCode MapError(int fd, std::size_t bytes) {
  const auto mapping = MapSealedSlot(fd, bytes);
  EXPECT_FALSE(mapping);
  return mapping ? ErrorCode{} : mapping.error().code;
}

std::size_t LeftoverMappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);)
    count += line.find("memfd:holostat-") != std::string::npos;
  return count;
}

blkcnt_t BlocksOf(int fd) {
  struct stat info {};
  EXPECT_EQ(::fstat(fd, &info), 0);
  return info.st_blocks;
}

TEST(Slot, ItsBytesArriveInAMappingOfTheReceiver) {
  const Slot slot = SealedSlot("a picture");
  const auto mapping = MapSealedSlot(slot.fd(), slot.size());
  ASSERT_TRUE(mapping) << mapping.error().message;
  EXPECT_EQ(TextOf(mapping->bytes()), "a picture");
  EXPECT_NE(::fcntl(slot.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(Slot, NobodyCanChangeItOnceItIsSealed) {
  Slot slot = SealedSlot("a picture");
  EXPECT_TRUE(slot.bytes().empty());
  EXPECT_EQ(::pwrite(slot.fd(), "X", 1, 0), -1);
  EXPECT_EQ(::ftruncate(slot.fd(), 1), -1);
  EXPECT_EQ(::ftruncate(slot.fd(), 100), -1);
  EXPECT_EQ(::fallocate(slot.fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4), -1);
  EXPECT_EQ(::mmap(nullptr, 9, PROT_READ | PROT_WRITE, MAP_SHARED, slot.fd(), 0), MAP_FAILED);
  auto mapping = MapSealedSlot(slot.fd(), slot.size());
  ASSERT_TRUE(mapping);
  EXPECT_EQ(TextOf(mapping->bytes()), "a picture");
  const auto again = slot.Seal();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kInternal);
}

TEST(Slot, CannotBeSealedWhileAnotherMappingCanWrite) {
  auto slot = Slot::Create(100).value();
  const auto other = Mapping::OfFile(slot.fd(), 100, Mapping::Access::kReadWrite);
  ASSERT_TRUE(other);
  const auto sealed = slot.Seal();
  ASSERT_FALSE(sealed);
  EXPECT_EQ(sealed.error().code, ErrorCode::kInternal);
}

TEST(Slot, OnlyASealedMemfdOfThatSizeIsMapped) {
  auto open = Slot::Create(100).value();
  EXPECT_EQ(MapError(open.fd(), 100), ErrorCode::kCorruptData) << "unsealed";
  for (const int missing : {F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE, F_SEAL_SEAL}) {
    const auto fd = CreateMemfd("holostat-slot", 100).value();
    ASSERT_TRUE(AddSeals(fd.get(), kFourSeals & ~missing));
    EXPECT_EQ(MapError(fd.get(), 100), ErrorCode::kCorruptData) << "without seal " << missing;
  }
  const Slot sealed = SealedSlot("a picture");
  EXPECT_EQ(MapError(sealed.fd(), 8), ErrorCode::kCorruptData) << "longer";
  EXPECT_EQ(MapError(sealed.fd(), 10), ErrorCode::kCorruptData) << "shorter";
  EXPECT_EQ(MapError(sealed.fd(), SIZE_MAX), ErrorCode::kCorruptData);
}

TEST(Slot, OtherKindsOfDescriptorsAreRefused) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const UniqueFd reader(ends[0]), writer(ends[1]);
  const TestDir dir;
  const UniqueFd file(::open(dir.Write("file", "a picture").c_str(), O_RDONLY));
  const UniqueFd folder(::open(dir.path().c_str(), O_RDONLY));
  for (const int fd : {reader.get(), writer.get(), file.get(), folder.get(), -1}) {
    EXPECT_EQ(MapError(fd, 9), ErrorCode::kCorruptData) << fd;
    const auto answer = MapAnswerArea(fd, 9);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kCorruptData) << fd;
  }
}

TEST(Slot, LeavesNoDescriptorAndNoMapping) {
  const auto fds = OpenFds();
  const auto mappings = LeftoverMappings();
  {
    auto open = Slot::Create(10000).value();
    EXPECT_EQ(LeftoverMappings(), mappings + 1);  // the count can see one
    const Slot sealed = SealedSlot("a picture");
    const auto mapping = MapSealedSlot(sealed.fd(), sealed.size());
    const Slot moved = std::move(open);
    auto area = AnswerArea::Create(10000).value();
    const auto worker = MapAnswerArea(area.fd(), 10000);
    EXPECT_EQ(LeftoverMappings(), mappings + 4);
  }
  EXPECT_EQ(OpenFds(), fds);
  EXPECT_EQ(LeftoverMappings(), mappings);
}

TEST(Slot, CannotBeExecutedWhereTheKernelKnowsHow) {
  const UniqueFd probe(::memfd_create("holostat-probe", 0x0008));  // MFD_NOEXEC_SEAL
  if (!probe) GTEST_SKIP() << "Linux before 6.3";
  struct stat info {};
  const auto slot = Slot::Create(1).value();
  ASSERT_EQ(::fstat(slot.fd(), &info), 0);
  EXPECT_EQ(info.st_mode & 0111, 0u);
}

TEST(Slot, MoreMemoryThanThereIsIsOverloaded) {
  const auto slot = Slot::Create(kTooMuch);
  ASSERT_FALSE(slot);
  EXPECT_EQ(slot.error().code, ErrorCode::kOverloaded);
}

TEST(AnswerArea, ShowsWhatTheWorkerWrote) {
  auto area = AnswerArea::Create(10000).value();
  auto worker = MapAnswerArea(area.fd(), 10000);
  ASSERT_TRUE(worker) << worker.error().message;
  worker->bytes()[9999] = std::byte{42};
  EXPECT_EQ(area.bytes()[9999], std::byte{42});
}

TEST(AnswerArea, AWorkerCanNeitherCutNorGrowNorSealIt) {
  auto area = AnswerArea::Create(10000).value();
  EXPECT_EQ(::ftruncate(area.fd(), 100), -1);
  EXPECT_EQ(::ftruncate(area.fd(), 100000), -1);
  EXPECT_EQ(::fcntl(area.fd(), F_ADD_SEALS, F_SEAL_WRITE), -1);
  EXPECT_TRUE(area.Trim(0));
}

TEST(AnswerArea, OfAnotherSizeOrThatCanShrinkIsRefused) {
  auto area = AnswerArea::Create(10000).value();
  EXPECT_FALSE(MapAnswerArea(area.fd(), 9999));
  EXPECT_FALSE(MapAnswerArea(area.fd(), 10001));
  const auto unsealed = CreateMemfd("holostat-answer", 10000).value();
  const auto mapping = MapAnswerArea(unsealed.get(), 10000);
  ASSERT_FALSE(mapping);
  EXPECT_EQ(mapping.error().code, ErrorCode::kCorruptData);
}

TEST(AnswerArea, TrimGivesThePagesBehindBackAndKeepsTheRest) {
  constexpr std::size_t kBytes = 1 << 20;
  auto area = AnswerArea::Create(kBytes).value();
  EXPECT_EQ(BlocksOf(area.fd()), 0);  // costs nothing before the first answer
  auto worker = MapAnswerArea(area.fd(), kBytes).value();
  std::ranges::fill(worker.bytes(), std::byte{7});
  const auto full = BlocksOf(area.fd());
  EXPECT_EQ(full, blkcnt_t{kBytes / 512});
  ASSERT_TRUE(area.Trim(10000));
  EXPECT_EQ(BlocksOf(area.fd()), 3 * 4096 / 512);
  EXPECT_EQ(area.bytes()[9999], std::byte{7});
  EXPECT_EQ(area.bytes()[10000], std::byte{0});
  ASSERT_TRUE(area.Trim(kBytes));
  ASSERT_TRUE(area.Trim(SIZE_MAX));
  EXPECT_EQ(BlocksOf(area.fd()), 3 * 4096 / 512);
  worker.bytes()[kBytes - 1] = std::byte{8};  // and can be used again
  EXPECT_EQ(area.bytes()[kBytes - 1], std::byte{8});
}

// --- SlotBudget ----------------------------------------------------------------------------------

constexpr SlotBudget::Limits kLimits{
    .max_slots = 3, .max_slot_bytes = 1000, .max_total_bytes = 1500};

ErrorCode AcquireError(SlotBudget& budget, std::size_t bytes) {
  const auto lease = budget.Acquire(bytes);
  EXPECT_FALSE(lease);
  return lease ? ErrorCode{} : lease.error().code;
}

TEST(SlotBudget, RefusesWhatCanNeverFit) {
  SlotBudget budget(kLimits);
  EXPECT_EQ(AcquireError(budget, 0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(AcquireError(budget, 1001), ErrorCode::kLimitExceeded);
  EXPECT_EQ(AcquireError(budget, SIZE_MAX), ErrorCode::kLimitExceeded);
  SlotBudget small({.max_slot_bytes = 1000, .max_total_bytes = 10});
  EXPECT_EQ(AcquireError(small, 11), ErrorCode::kLimitExceeded);
}

TEST(SlotBudget, IsOverloadedWhileTheOthersHoldTooMuch) {
  SlotBudget budget(kLimits);
  auto first = budget.Acquire(1000);
  ASSERT_TRUE(first);
  EXPECT_EQ(AcquireError(budget, 501), ErrorCode::kOverloaded);
  {
    const auto second = budget.Acquire(500);
    ASSERT_TRUE(second);
    EXPECT_EQ(budget.total_bytes(), 1500u);
    EXPECT_EQ(AcquireError(budget, 1), ErrorCode::kOverloaded);
  }
  EXPECT_EQ(budget.slots(), 1u);
  EXPECT_TRUE(budget.Acquire(500));
}

TEST(SlotBudget, CountsSlotsAsWellAsBytes) {
  SlotBudget budget(kLimits);
  std::vector<SlotBudget::Lease> leases;
  leases.reserve(3);
  for (int k = 0; k < 3; ++k) leases.push_back(budget.Acquire(1).value());
  EXPECT_EQ(AcquireError(budget, 1), ErrorCode::kOverloaded);
  leases.pop_back();
  EXPECT_TRUE(budget.Acquire(1));
}

TEST(SlotBudget, AMovedLeaseCountsOnce) {
  SlotBudget budget(kLimits);
  auto first = budget.Acquire(100).value();
  auto second = budget.Acquire(200).value();
  second = std::move(first);  // its own slot goes back
  EXPECT_EQ(budget.slots(), 1u);
  EXPECT_EQ(budget.total_bytes(), 100u);
  const SlotBudget::Lease third(std::move(second));
  EXPECT_EQ(budget.slots(), 1u);
  EXPECT_EQ(third.slot().size(), 100u);
}

TEST(SlotBudget, ASlotThatTheSystemRefusesIsNotCounted) {
  SlotBudget budget({.max_slot_bytes = SIZE_MAX, .max_total_bytes = SIZE_MAX});
  EXPECT_EQ(AcquireError(budget, kTooMuch), ErrorCode::kOverloaded);
  EXPECT_EQ(budget.slots(), 0u);
}

TEST(SlotBudgetDeathTest, EndingBeforeALeaseIsAFaultOfOurs) {
  EXPECT_DEATH(
      {
        auto budget = std::make_unique<SlotBudget>(kLimits);
        const auto lease = budget->Acquire(1);
        budget.reset();
      },
      "slots_ == 0");
}

}  // namespace
}  // namespace holostat::ipc
