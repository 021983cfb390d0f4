#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/clock.h"
#include "base/lru_cache.h"

namespace holostat::server {

// A bucket of tokens for each client: one a request; `per_second` come back, up to `burst`. Of more
// than `clients` the one that asked least recently is forgotten, that is, has a full bucket again.
// Bound to one thread.
class RateLimiter {
 public:
  struct Options {
    double per_second = 0;  // 0: no limit
    double burst = 20;
    std::size_t clients = 4096;
  };
  // `clock` outlives the limiter.
  RateLimiter(const Clock& clock, const Options& options);

  // Takes a token. 0: there was one; else how long until there is.
  std::chrono::nanoseconds Take(const std::string& client);

 private:
  struct Bucket {
    double tokens;
    SteadyTime at;
  };

  const Clock& clock_;
  Options options_;
  LruCache<std::string, Bucket> buckets_;
};

}  // namespace holostat::server
