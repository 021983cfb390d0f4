#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::runtime {

// The living samples of one call stack.
struct HeapSite {
  std::vector<std::uint64_t> stack{};  // return addresses, innermost first
  double bytes = 0;                    // estimated living bytes (jemalloc's sampling corrected for)
  double blocks = 0;
};

struct HeapProfile {
  std::uint64_t sample_bytes = 0;  // mean bytes between samples
  std::vector<HeapSite> sites{};   // most bytes first
};

// Reads jemalloc's text form, strictly: a text that it cannot have written is none. Limits: 64 MB,
// 100,000 sites, stacks of 128. The estimate of a site with n samples of mean size s at rate R is
// n s / (1 - exp(-s / R)), as jeprof does. Error: kCorruptData.
Result<HeapProfile> ParseHeapProfile(std::string_view text);

// What `after` has more than `before`, by stack, most grown first; what shrank is left out.
HeapProfile GrownSince(const HeapProfile& before, const HeapProfile& after);

}  // namespace holostat::runtime
