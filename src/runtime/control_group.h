#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace holostat::runtime {

// A control group (version 1 or 2) whose memory limit this process is under.
struct MemoryGroup {
  int version = 2;
  std::filesystem::path folder;
};

// Of this process, the outermost first. A group that the mounts here do not show is left out, also
// the root of version 2, which has neither limit nor usage. `root` stands before /proc and /sys: a
// test's own tree.
std::vector<MemoryGroup> MemoryGroups(const std::filesystem::path& root = "/");

// What a group says of its limit; nothing when it has none. Both versions.
std::optional<std::uint64_t> AsMemoryLimit(std::uint64_t bytes);

// The smallest memory limit, in bytes, of these groups; nothing when there is none.
std::optional<std::uint64_t> ControlGroupMemoryLimit(const std::filesystem::path& root = "/");

}  // namespace holostat::runtime
