#include "engine/constant_pages.h"

#include <algorithm>
#include <functional>

namespace holostat::engine {
namespace {

constexpr std::size_t kAlignment = 64;
// Every chunk is as large as all before it, so that there are few; what is left over goes back.
constexpr std::size_t kFirstChunk = std::size_t{4} << 20;

constexpr std::size_t RoundUp(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

std::byte* ConstantPages::Allocate(std::size_t bytes) {
  const std::size_t taken = RoundUp(bytes) + kAlignment;
  if (taken < bytes) return nullptr;  // wrapped around
  if (chunks_.empty() || chunks_.back().size() - used_ < taken) {
    if (!AddChunk(taken)) return nullptr;
  }
  std::byte* place = chunks_.back().bytes().data() + used_;
  used_ += taken;
  return place;
}

bool ConstantPages::AddChunk(std::size_t bytes) {
  const auto map = [](std::size_t size) {
    return Mapping::Anonymous(size, Mapping::Access::kReadWrite, "holostat-weights");
  };
  auto chunk = map(std::max({bytes, kFirstChunk, total_}));
  if (!chunk) chunk = map(bytes);
  if (!chunk) return false;
  if (!chunks_.empty()) chunks_.back().Shrink(used_);
  total_ += chunk->size();
  used_ = 0;
  chunks_.push_back(std::move(*chunk));
  return true;
}

std::size_t ConstantPages::BytesUpToEnd(const void* address) const {
  const auto* place = static_cast<const std::byte*>(address);
  for (const Mapping& chunk : chunks_) {
    const auto bytes = chunk.bytes();
    const std::byte* end = bytes.data() + bytes.size();
    if (std::less_equal<>()(bytes.data(), place) && std::less<>()(place, end)) {
      return static_cast<std::size_t>(end - place);
    }
  }
  return 0;
}

Result<void> ConstantPages::Seal() {
  if (chunks_.empty()) return {};
  chunks_.back().Shrink(used_);
  for (Mapping& chunk : chunks_) HOLO_TRY(chunk.Protect(chunk.size(), Mapping::Access::kRead));
  return {};
}

}  // namespace holostat::engine
