#include "vision/timeline.h"

#include <cstdint>

namespace holostat::vision {
namespace {

bool IsStep(std::chrono::microseconds from, std::chrono::microseconds to) {
  if (to <= from) return false;
  // Unsigned, as the difference of two signed ones need not fit.
  const auto step =
      static_cast<std::uint64_t>(to.count()) - static_cast<std::uint64_t>(from.count());
  return step <= static_cast<std::uint64_t>(Timeline::kLongestStep.count());
}

}  // namespace

Timeline::Place Timeline::Add(std::chrono::microseconds timestamp) {
  const bool follows = last_ && IsStep(*last_, timestamp);
  const bool starts = !last_ || (stray_ && IsStep(*stray_, timestamp));
  if (!follows && !starts) {
    stray_ = timestamp;
    return Place::kStrays;
  }
  last_ = timestamp;
  stray_.reset();
  return follows ? Place::kFollows : Place::kStarts;
}

}  // namespace holostat::vision
