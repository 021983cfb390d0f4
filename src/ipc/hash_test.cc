#include "ipc/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace holostat::ipc {
namespace {

TEST(Hash64, NoticesEverySingleBitAndEveryLength) {
  std::vector<std::byte> bytes(67);
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    seen.insert(Hash64(std::span(bytes).first(size)));  // zeros of each length differ
  }
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    seen.insert(Hash64(bytes));
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_EQ(seen.size(), bytes.size() + 1 + 8 * bytes.size());
}

}  // namespace
}  // namespace holostat::ipc
