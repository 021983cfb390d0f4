#pragma once

#include <chrono>

namespace holostat {

using SteadyTime = std::chrono::steady_clock::time_point;

// Where time comes from, so that a test can turn it. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime Now() const = 0;  // never goes back
};

class SystemClock final : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
};

// Stands still until told to move. Bound to one thread.
class ManualClock final : public Clock {
 public:
  SteadyTime Now() const override { return now_; }
  void Advance(std::chrono::nanoseconds by) { now_ += by; }

 private:
  SteadyTime now_{std::chrono::hours(1)};
};

}  // namespace holostat
