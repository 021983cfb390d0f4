#include "app/control_group.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace holostat::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;  // version 1 says so by about 2^63

struct Group {
  fs::path mount;         // below /sys/fs/cgroup
  fs::path path;          // of the group, below the mount
  std::string_view file;  // with the limit
};

// A line of /proc/self/cgroup is hierarchy:controllers:path; version 2 has no controllers.
std::optional<Group> ParseGroup(std::string_view line) {
  const auto first = line.find(':');
  const auto second = line.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const fs::path path = fs::path(line.substr(second + 1)).relative_path();
  if (controllers.empty()) return Group{"", path, "memory.max"};
  if (controllers == "memory") return Group{"memory", path, "memory.limit_in_bytes"};
  return std::nullopt;
}

std::uint64_t ReadLimit(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t bytes = kNoLimit;  // also for the word "max"
  return in >> bytes ? std::min(bytes, kNoLimit) : kNoLimit;
}

std::uint64_t SmallestLimit(const fs::path& root, const Group& group) {
  const fs::path mount = root / "sys/fs/cgroup" / group.mount;
  std::uint64_t smallest = ReadLimit(mount / group.file);
  fs::path folder = mount;
  for (const fs::path& step : group.path) {
    folder /= step;
    smallest = std::min(smallest, ReadLimit(folder / group.file));
  }
  return smallest;
}

}  // namespace

std::optional<std::uint64_t> ControlGroupMemoryLimit(const fs::path& root) {
  std::uint64_t smallest = kNoLimit;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (const auto group = ParseGroup(line)) {
      smallest = std::min(smallest, SmallestLimit(root, *group));
    }
  }
  return smallest < kNoLimit ? std::optional(smallest) : std::nullopt;
}

}  // namespace holostat::app
