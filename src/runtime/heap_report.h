#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/heap_snapshot.h"
#include "runtime/symbolizer.h"

namespace holostat::runtime {

// A place in the code that allocates, with all stacks that lead there.
struct HeapReportSite {
  double bytes = 0, blocks = 0;              // living, or grown
  std::optional<double> bytes_per_minute{};  // grown, where the time is known
  std::size_t stacks = 0;                    // how many lead here
  std::vector<CodeFrame> stack{};            // the one with most bytes; [0] is the place itself
};

struct HeapReport {
  std::int64_t pid = 0;
  std::string process{};
  std::uint64_t sample_bytes = 0;
  std::optional<double> seconds{};  // between the snapshots
  bool is_growth = false;           // of two snapshots; else what one holds
  double bytes = 0, blocks = 0;     // of all sites
  std::size_t sites_in_all = 0;
  std::vector<HeapReportSite> sites{};  // most bytes first
};

// Where in `stack` (innermost first) the site is: the first frame that decided to allocate. Passed
// over are the allocator itself (up to the last malloc, operator new or the like among the
// innermost frames), then what allocates on behalf of its caller: the C library, code without a
// name, functions of namespaces of containers and text (std, __gnu_cxx, fmt, tl, nlohmann), and
// files of ours that are containers (pictures, aligned buffers, what serves XNNPACK). Where nothing
// else is left, the first frame after the allocator.
std::size_t SiteOf(std::span<const CodeFrame> stack);

// What grew from `before` to `after`, or what `after` holds when there is no `before`; the `count`
// sites with most bytes. Reads debugging information: tens of MB in this process
// (heap_report_process.h does it in another one). Errors: kCorruptData, kInvalidArgument (of two
// processes).
Result<HeapReport> MakeHeapReport(const HeapSnapshot* before, const HeapSnapshot& after,
                                  std::size_t count);

std::string ToText(const HeapReport& report);  // for a terminal
std::string ToJson(const HeapReport& report);  // docs/heap-profiles.md; one line

}  // namespace holostat::runtime
