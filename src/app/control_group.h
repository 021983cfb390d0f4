#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace holostat::app {

// The smallest memory limit, in bytes, of this process's control group and those above it (versions
// 1 and 2); nothing when there is none. `root` stands before /proc and /sys: a test's own tree.
std::optional<std::uint64_t> ControlGroupMemoryLimit(const std::filesystem::path& root = "/");

}  // namespace holostat::app
