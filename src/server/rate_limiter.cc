#include "server/rate_limiter.h"

#include <algorithm>

namespace holostat::server {

using Seconds = std::chrono::duration<double>;

RateLimiter::RateLimiter(const Clock& clock, const Options& options)
    : clock_(clock),
      options_(options),
      buckets_({.capacity = std::max<std::size_t>(1, options.clients)}, clock) {
  options_.burst = std::max(1.0, options_.burst);
}

std::chrono::nanoseconds RateLimiter::Take(const std::string& client) {
  if (options_.per_second <= 0) return {};
  const SteadyTime now = clock_.Now();
  Bucket* bucket = buckets_.Get(client);
  if (bucket == nullptr) {
    buckets_.Put(client, {options_.burst - 1, now}, 0);
    return {};
  }
  const double back = Seconds(now - bucket->at).count() * options_.per_second;
  bucket->tokens = std::min(options_.burst, bucket->tokens + back);
  bucket->at = now;
  if (bucket->tokens >= 1) {
    bucket->tokens -= 1;
    return {};
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      Seconds((1 - bucket->tokens) / options_.per_second));
}

}  // namespace holostat::server
