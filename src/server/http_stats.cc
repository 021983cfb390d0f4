#include "server/http_stats.h"

#include <algorithm>

namespace holostat::server {

void HttpStats::CountStatus(std::size_t route, int status) {
  if (route >= kMaxRoutes) route = kMaxRoutes - 1;
  const auto found = std::find(kStatuses.begin(), kStatuses.end(), status);
  if (found == kStatuses.end()) {
    ++routes[route].other;
  } else {
    ++routes[route].by_status[static_cast<std::size_t>(found - kStatuses.begin())];
  }
}

}  // namespace holostat::server
