#include "runtime/control_group.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "runtime/kernel_file.h"

namespace holostat::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;  // version 1 says so by about 2^63

struct Place {
  int version = 2;
  fs::path mount;  // below /sys/fs/cgroup
  fs::path path;   // of the group, below the mount
};

// A line of /proc/self/cgroup is hierarchy:controllers:path; version 2 has no controllers.
std::optional<Place> ParsePlace(std::string_view line) {
  const auto first = line.find(':');
  const auto second = line.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const fs::path path = fs::path(line.substr(second + 1)).relative_path();
  if (controllers.empty()) return Place{2, "", path};
  if (controllers == "memory") return Place{1, "memory", path};
  return std::nullopt;
}

const char* LimitFile(int version) { return version == 1 ? "memory.limit_in_bytes" : "memory.max"; }

void AddGroup(int version, const fs::path& folder, std::vector<MemoryGroup>& groups) {
  std::error_code none;
  if (fs::exists(folder / LimitFile(version), none)) groups.push_back({version, folder});
}

}  // namespace

std::vector<MemoryGroup> MemoryGroups(const fs::path& root) {
  std::vector<MemoryGroup> groups;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const auto place = ParsePlace(line);
    if (!place) continue;
    fs::path folder = root / "sys/fs/cgroup" / place->mount;
    AddGroup(place->version, folder, groups);
    for (const fs::path& step : place->path) AddGroup(place->version, folder /= step, groups);
  }
  return groups;
}

std::optional<std::uint64_t> AsMemoryLimit(std::uint64_t bytes) {
  return bytes < kNoLimit ? std::optional(bytes) : std::nullopt;
}

std::optional<std::uint64_t> ControlGroupMemoryLimit(const fs::path& root) {
  std::uint64_t smallest = kNoLimit;
  for (const MemoryGroup& group : MemoryGroups(root)) {
    const KernelFile limit(group.folder / LimitFile(group.version));
    smallest = std::min(smallest, limit.Number().value_or(kNoLimit));
  }
  return AsMemoryLimit(smallest);
}

}  // namespace holostat::runtime
