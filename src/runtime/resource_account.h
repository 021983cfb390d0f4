#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holostat::runtime {

// What LeakedSince says when there is nothing to say.
inline constexpr std::string_view kNothingLeaked = "0 leaked";

// What this process holds that could be lost: counted from /proc, so that also what a bug forgot is
// seen. Two counts, before and after, must be equal.
struct ResourceAccount {
  std::uint64_t fds = 0;
  std::uint64_t shared_mappings = 0;  // of slots, answer areas and rings (memfd:holostat-*)
  std::uint64_t children = 0;         // zombies included

  static ResourceAccount Take();
  // "0 leaked", or what is more than in `before`: "leaked: 2 descriptors, 1 child".
  std::string LeakedSince(const ResourceAccount& before) const;
  bool operator==(const ResourceAccount&) const = default;
};

}  // namespace holostat::runtime
