#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/service_status.h"
#include "server/http_stats.h"
#include "server/process_slots.h"

namespace holostat::server {

// The service at this moment, as /metrics shows it.
struct MetricsInput {
  const runtime::ServiceStatus& status;
  const HttpStats& http;
  bool ready = false;                   // what /readyz says
  std::uint64_t log_lines_dropped = 0;  // because nobody took them
};

// The page of numbers for Prometheus (docs/metrics.md). How many series it has is bounded: labels
// are routes, our statuses, causes, and numbers of processes that are used again. Bound to one
// thread.
class MetricsPage {
 public:
  // "text/plain; version=0.0.4; charset=utf-8"
  static const std::string_view kContentType;

  // `routes` are the names of HttpStats::routes in order ("/v1/track"); the very last of these,
  // where CountStatus puts what is out of range, is "other".
  explicit MetricsPage(std::vector<std::string> routes) : routes_(std::move(routes)) {}

  std::string Render(const MetricsInput& input);

 private:
  std::vector<std::string> routes_;
  ProcessSlots slots_;
};

}  // namespace holostat::server
