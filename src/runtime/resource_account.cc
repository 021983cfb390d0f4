#include "runtime/resource_account.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "runtime/child_process.h"

namespace holostat::runtime {
namespace {

std::uint64_t CountFds() {
  std::error_code ignored;  // without /proc nothing can be counted: 0 before and after
  std::uint64_t count = 0;
  for ([[maybe_unused]] const auto& fd :
       std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    ++count;
  }
  return count == 0 ? 0 : count - 1;  // the iterator's own
}

std::uint64_t CountSharedMappings() {
  std::ifstream in("/proc/self/maps");
  std::uint64_t count = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find("/memfd:holostat-") != std::string::npos) ++count;
  }
  return count;
}

}  // namespace

ResourceAccount ResourceAccount::Take() {
  return {CountFds(), CountSharedMappings(), ChildrenOfThisProcess().size()};
}

std::string ResourceAccount::LeakedSince(const ResourceAccount& before) const {
  std::vector<std::string> leaked;
  const auto note = [&](std::uint64_t now, std::uint64_t then, const char* one, const char* more) {
    if (now > then)
      leaked.push_back(fmt::format("{} {}", now - then, now - then == 1 ? one : more));
  };
  note(fds, before.fds, "descriptor", "descriptors");
  note(shared_mappings, before.shared_mappings, "mapping", "mappings");
  note(children, before.children, "child", "children");
  return leaked.empty() ? std::string(kNothingLeaked)
                        : fmt::format("leaked: {}", fmt::join(leaked, ", "));
}

}  // namespace holostat::runtime
