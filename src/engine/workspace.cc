#include "engine/workspace.h"

#include <sys/mman.h>

#include <algorithm>

namespace holostat::engine {

namespace {

// What we place is small beside what XNNPACK needs: pixels going in, and what segments hand on.
constexpr std::size_t kArenaShare = 4;

}  // namespace

Result<std::shared_ptr<Workspace>> Workspace::Create(std::size_t capacity_bytes) {
  const auto reserve = [](std::size_t bytes) {
    return Mapping::Anonymous(bytes, Mapping::Access::kNone, "holostat-workspace");
  };
  Mapping runtime = HOLO_TRY(reserve(capacity_bytes));
  Mapping arena = HOLO_TRY(reserve(capacity_bytes / kArenaShare));
  return std::shared_ptr<Workspace>(new Workspace(std::move(runtime), std::move(arena)));
}

std::byte* Workspace::Open(Area& area, std::size_t bytes) {
  if (bytes > area.pages.size()) return nullptr;
  const std::size_t open = std::max(bytes, area.bytes);
  if (!area.pages.Protect(open, Mapping::Access::kReadWrite)) return nullptr;
  area.bytes = open;
  return area.pages.bytes().data();
}

std::byte* Workspace::LendToRuntime(std::size_t bytes) {
  std::byte* start = Open(runtime_, bytes);
  if (start == nullptr) return nullptr;
  return ::madvise(start, bytes, MADV_DONTNEED) == 0 ? start : nullptr;
}

void Workspace::Touch() {
  for (Area* area : {&runtime_, &arena_}) area->pages.Populate(area->bytes);
}

}  // namespace holostat::engine
