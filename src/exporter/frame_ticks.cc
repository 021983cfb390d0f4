#include "exporter/frame_ticks.h"

#include <cmath>

namespace holostat::exporter {
namespace {

constexpr double kLongestGap = 10;  // s
constexpr double kOwnTick = 0.25;   // of a step

}  // namespace

double FrameTicks::Ticks::At(std::uint64_t i) const {
  const double share = first + by * static_cast<double>(i);
  return share > 1 - kOwnTick * by ? 1 : share;
}

FrameTicks::Ticks FrameTicks::Add(std::chrono::microseconds timestamp) {
  if (!last_) {
    last_ = timestamp;
    given_ = 1;
    return {.first = 1, .by = 1, .count = 1};
  }
  double gap = SecondsBetween(*last_, timestamp);
  if (!(gap > 0 && gap <= kLongestGap)) gap = step_s_;
  last_ = timestamp;
  const double before = time_s_;
  time_s_ += gap;
  const auto until = static_cast<std::uint64_t>(std::floor(time_s_ / step_s_ + kOwnTick)) + 1;
  if (until <= given_) return {};
  Ticks ticks;
  ticks.count = until - given_;
  ticks.by = step_s_ / gap;
  ticks.first = (static_cast<double>(given_) * step_s_ - before) / gap;
  given_ = until;
  return ticks;
}

}  // namespace holostat::exporter
