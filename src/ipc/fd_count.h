#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace holostat::ipc {

// Test support: how many descriptors this process has open. Needs a free one itself.
inline std::size_t OpenFds() {
  const auto fds = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(fds), end(fds))) - 1;  // its own
}

}  // namespace holostat::ipc
