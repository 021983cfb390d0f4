#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace holostat::runtime {

// When a process that keeps dying at its start may be started again. The first `free_failures` in a
// row cost nothing: a crash now and then must not delay its successor. After that the wait doubles
// from `first_delay` to `max_delay`. One that came up well ends the row.
class RestartPolicy {
 public:
  struct Options {
    std::uint32_t free_failures = 3;
    std::chrono::milliseconds first_delay{50};
    std::chrono::milliseconds max_delay{5000};
    std::uint32_t give_up_after = 20;  // failures in a row after which GaveUp() is true
  };
  explicit RestartPolicy(const Options& options) : options_(options) {}

  void Failed(SteadyTime at);
  void Succeeded() { failures_ = 0; }

  SteadyTime MayStartAt() const { return may_start_at_; }
  bool GaveUp() const { return failures_ >= options_.give_up_after; }
  std::uint32_t failures() const { return failures_; }

 private:
  Options options_;
  std::uint32_t failures_ = 0;
  SteadyTime may_start_at_{};
};

}  // namespace holostat::runtime
