#include "runtime/heap_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace holostat::runtime {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxSites = 100'000;
constexpr std::size_t kMaxFrames = 128;

// Takes a text apart, from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool StartsWith(std::string_view prefix) const { return rest_.starts_with(prefix); }

  bool Skip(std::string_view prefix) {
    if (!StartsWith(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }

  std::optional<std::uint64_t> Number(int base = 10) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

 private:
  std::string_view rest_;
};

struct Counts {
  std::uint64_t blocks = 0, bytes = 0;
};

// "512: 2097152 [0: 0]"; in the brackets are totals since the start, which are not kept.
std::optional<Counts> ReadCounts(Scanner& in) {
  const auto blocks = in.Number();
  if (!blocks || !in.Skip(": ")) return std::nullopt;
  const auto bytes = in.Number();
  if (!bytes || !in.Skip(" [") || !in.Number() || !in.Skip(": ") || !in.Number() || !in.Skip("]\n"))
    return std::nullopt;
  // Each block has a byte at least. A site without any is there for its totals.
  if ((*blocks == 0) != (*bytes == 0) || *bytes < *blocks) return std::nullopt;
  return Counts{.blocks = *blocks, .bytes = *bytes};
}

// The line of all threads; those of each, which follow it, are passed over.
std::optional<Counts> ReadAllThreads(Scanner& in) {
  if (!in.Skip("  t*: ")) return std::nullopt;
  const auto all = ReadCounts(in);
  while (all && in.Skip("  t")) {
    if (!in.Number() || !in.Skip(": ") || !ReadCounts(in)) return std::nullopt;
  }
  return all;
}

// "@ 0x55ae26f65cd0 0x55ae26f663c1"
std::optional<std::vector<std::uint64_t>> ReadStack(Scanner& in) {
  std::vector<std::uint64_t> stack;
  if (!in.Skip("@")) return std::nullopt;
  while (in.Skip(" 0x")) {
    const auto address = in.Number(16);
    if (!address || stack.size() == kMaxFrames) return std::nullopt;
    stack.push_back(*address);
  }
  if (!in.Skip("\n") || stack.empty()) return std::nullopt;
  return stack;
}

// A block of `size` bytes is sampled with the chance 1 - exp(-size / rate).
HeapSite Estimate(std::vector<std::uint64_t> stack, const Counts& sampled, std::uint64_t rate) {
  const auto blocks = static_cast<double>(sampled.blocks);
  const auto bytes = static_cast<double>(sampled.bytes);
  const double chance = -std::expm1(-bytes / blocks / static_cast<double>(rate));
  return {.stack = std::move(stack), .bytes = bytes / chance, .blocks = blocks / chance};
}

void SortMostFirst(std::vector<HeapSite>& sites) {
  std::sort(sites.begin(), sites.end(), [](const HeapSite& a, const HeapSite& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.stack < b.stack;
  });
}

std::optional<HeapProfile> Read(Scanner in) {
  if (!in.Skip("heap_v2/")) return std::nullopt;
  const auto rate = in.Number();
  if (!rate || *rate == 0 || !in.Skip("\n") || !ReadAllThreads(in)) return std::nullopt;
  HeapProfile profile{.sample_bytes = *rate, .sites = {}};
  while (in.StartsWith("@")) {
    auto stack = ReadStack(in);
    const auto counts = stack ? ReadAllThreads(in) : std::nullopt;
    if (!counts || profile.sites.size() == kMaxSites) return std::nullopt;
    if (counts->blocks > 0) profile.sites.push_back(Estimate(*std::move(stack), *counts, *rate));
  }
  // The mappings of the process may follow; runtime/heap_snapshot.h reads them.
  if (!in.at_end() && !in.Skip("\nMAPPED_LIBRARIES:\n")) return std::nullopt;
  SortMostFirst(profile.sites);
  return profile;
}

}  // namespace

Result<HeapProfile> ParseHeapProfile(std::string_view text) {
  if (text.size() > kMaxBytes)
    return Fail(ErrorCode::kCorruptData,
                fmt::format("a heap profile of {} bytes: too large", text.size()));
  auto profile = Read(Scanner(text));
  if (!profile) return Fail(ErrorCode::kCorruptData, "this is no heap profile of jemalloc");
  return *std::move(profile);
}

HeapProfile GrownSince(const HeapProfile& before, const HeapProfile& after) {
  std::map<std::vector<std::uint64_t>, const HeapSite*> old;
  for (const HeapSite& site : before.sites) old.emplace(site.stack, &site);
  HeapProfile grown{.sample_bytes = after.sample_bytes, .sites = {}};
  for (HeapSite site : after.sites) {
    if (const auto found = old.find(site.stack); found != old.end()) {
      site.bytes -= found->second->bytes;
      site.blocks -= found->second->blocks;
    }
    if (site.bytes > 0) grown.sites.push_back(std::move(site));
  }
  SortMostFirst(grown.sites);
  return grown;
}

}  // namespace holostat::runtime
