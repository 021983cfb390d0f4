#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/service_status.h"

namespace holostat::app {

// A count of all processes of the service together, after warm-up and at the end.
struct StartAndEnd {
  std::uint64_t start = 0, end = 0;
};

// How fast private memory rose, by Theil and Sen, with its confidence interval.
struct UssSlope {
  double bytes_per_min = 0;
  double low = 0, high = 0;
};

// What `holostat soak` found.
struct SoakReport {
  double duration_s = 0;
  std::vector<std::pair<std::string, std::string>> settings;  // in order: "workers" -> "2"

  std::uint64_t requests = 0, ok = 0;
  std::uint64_t lost = 0;   // never answered, or with a fault of ours
  std::uint64_t wrong = 0;  // answered with something else than the picture's truth
  std::uint64_t retried = 0, refused = 0;
  runtime::WorkerExits restarts;
  std::uint64_t zygote_restarts = 0;

  std::optional<UssSlope> uss_slope;                           // none: too few samples
  std::int64_t uss_growth_bytes = 0;                           // end less start, after warm-up
  std::uint64_t peak_service_pss_bytes = 0, budget_bytes = 0;  // budget 0: none
  StartAndEnd fds, threads;

  double p50_ms = 0, p99_ms = 0;
  double recovery_p50_ms = 0, recovery_max_ms = 0;
  std::vector<std::string> leak_alarms;  // their texts
};

// A table for people, with a newline at its end.
std::string SoakReportText(const SoakReport& report);

// One line, without a newline; numbers that are not finite are null. Fields:
// docs/soak-report.md.
std::string SoakReportJson(const SoakReport& report);

}  // namespace holostat::app
