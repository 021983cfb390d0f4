#include "engine/workspace.h"

#include <sys/mman.h>

#include <algorithm>

namespace holostat::engine {

Result<std::shared_ptr<Workspace>> Workspace::Create(std::size_t capacity_bytes) {
  Mapping pages =
      HOLO_TRY(Mapping::Anonymous(capacity_bytes, Mapping::Access::kNone, "holostat-workspace"));
  return std::shared_ptr<Workspace>(new Workspace(std::move(pages)));
}

std::byte* Workspace::Lend(std::size_t bytes) {
  if (bytes > pages_.size()) return nullptr;
  const std::size_t open = std::max(bytes, bytes_);
  if (!pages_.Protect(open, Mapping::Access::kReadWrite)) return nullptr;
  bytes_ = open;
  std::byte* start = pages_.bytes().data();
  return ::madvise(start, bytes, MADV_DONTNEED) == 0 ? start : nullptr;
}

}  // namespace holostat::engine
