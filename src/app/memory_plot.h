#pragma once

#include <cstdint>
#include <string>

#include "runtime/memory_series.h"

namespace holostat::app {

struct MemoryPlotOptions {
  std::string title = "Memory of the service";
  std::string note = "";           // under the title: settings, figures
  std::uint64_t budget_bytes = 0;  // of the service's PSS; 0: none
};

// A self-contained SVG picture: above, PSS of the service and its budget; below, USS of each
// process over its life, with a mark of the cause where it ended; then when processes ended, by
// cause, all of them. Says so where not all processes are drawn. Brings its own background, light
// or dark as the viewer prefers. docs/soak-report.md.
std::string MemoryPlotSvg(const runtime::MemorySeries& series, const MemoryPlotOptions& options);

}  // namespace holostat::app
