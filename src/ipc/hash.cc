#include "ipc/hash.h"

#include <bit>
#include <cstring>

namespace holostat::ipc {
namespace {

// Odd constants with mixed bits: the fractional parts of the golden ratio and of the square root
// of 3.
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kRoot3 = 0xbb67ae8584caa73b;

std::uint64_t Mix(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state ^ (word * kGolden), 29) * kRoot3;
}

}  // namespace

std::uint64_t Hash64(std::span<const std::byte> bytes) {
  std::uint64_t state = Mix(kRoot3, bytes.size());
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    state = Mix(state, word);
    bytes = bytes.subspan(sizeof word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  state = Mix(state, rest);
  return state ^ (state >> 32);
}

}  // namespace holostat::ipc
