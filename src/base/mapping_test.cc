#include "base/mapping.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

namespace holostat {
namespace {

constexpr std::size_t kPage = 4096;

// Whether the page at `address` belongs to any mapping.
bool IsMapped(std::byte* address) {
  unsigned char residency = 0;
  return ::mincore(address, 1, &residency) == 0;
}

// The system reads from what it is given to write; unreadable memory is an error there, no signal.
bool IsReadable(const std::byte* address) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const bool readable = ::write(ends[1], address, 1) == 1;
  for (const int end : ends) ::close(end);
  return readable;
}

TEST(AnonymousMapping, IsZeroedAndWritable) {
  auto mapping = Mapping::Anonymous(3 * kPage, Mapping::Access::kReadWrite, "holostat-test");
  ASSERT_TRUE(mapping) << mapping.error().message;
  EXPECT_EQ(mapping->size(), 3 * kPage);
  EXPECT_TRUE(std::ranges::all_of(mapping->bytes(), [](std::byte b) { return b == std::byte{0}; }));
  std::ranges::fill(mapping->bytes(), std::byte{1});
}

TEST(AnonymousMapping, OpensOnlyWhatIsAskedFor) {
  auto mapping = Mapping::Anonymous(3 * kPage, Mapping::Access::kNone, "holostat-test");
  ASSERT_TRUE(mapping) << mapping.error().message;
  std::byte* start = mapping->bytes().data();
  EXPECT_FALSE(IsReadable(start));
  ASSERT_TRUE(mapping->Protect(kPage + 1, Mapping::Access::kReadWrite));
  EXPECT_TRUE(IsReadable(start + 2 * kPage - 1));
  EXPECT_FALSE(IsReadable(start + 2 * kPage));
}

TEST(AnonymousMapping, GivesBackWhatItShrinksBy) {
  auto mapping = Mapping::Anonymous(3 * kPage, Mapping::Access::kReadWrite, "holostat-test");
  ASSERT_TRUE(mapping) << mapping.error().message;
  std::byte* start = mapping->bytes().data();
  mapping->Shrink(kPage + 1);
  EXPECT_EQ(mapping->size(), kPage + 1);
  EXPECT_TRUE(IsMapped(start + kPage));
  EXPECT_FALSE(IsMapped(start + 2 * kPage));
}

TEST(AnonymousMapping, HasThePagesThatWerePopulatedAndNoOthers) {
  auto mapping = Mapping::Anonymous(3 * kPage, Mapping::Access::kReadWrite, "holostat-test");
  ASSERT_TRUE(mapping) << mapping.error().message;
  std::array<unsigned char, 3> residency{};
  mapping->Populate(kPage + 1);
  ASSERT_EQ(::mincore(mapping->bytes().data(), mapping->size(), residency.data()), 0);
  if (residency[0] == 0) GTEST_SKIP() << "this kernel cannot populate";
  EXPECT_EQ(residency[1], 1);
  EXPECT_EQ(residency[2], 0);
}

TEST(AnonymousMapping, RefusesMoreThanThereIsOfAddressSpace) {
  const auto mapping = Mapping::Anonymous(std::numeric_limits<std::size_t>::max() / 2,
                                          Mapping::Access::kNone, "holostat-test");
  ASSERT_FALSE(mapping);
  EXPECT_EQ(mapping.error().code, ErrorCode::kOverloaded);
}

}  // namespace
}  // namespace holostat
