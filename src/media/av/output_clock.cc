#include "media/av/output_clock.h"

#include <algorithm>
#include <cmath>

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;

constexpr double kDefaultFps = 30, kFewestFps = 0.01, kMostFps = 1000;
constexpr microseconds kFurthestBack = std::chrono::seconds(10);
constexpr microseconds kFurthestAhead = std::chrono::hours(1);

// REQUIRES: at most 30,000 years.
std::int64_t ToTicks(microseconds time) {
  static_assert(OutputClock::kTicksPerSecond * 100 == 9 * 1'000'000);
  const std::int64_t scaled = time.count() * 9;
  return (scaled + (scaled < 0 ? -50 : 50)) / 100;
}

}  // namespace

OutputClock::OutputClock(double fps)
    : step_(std::llround(kTicksPerSecond /
                         (fps > 0 ? std::clamp(fps, kFewestFps, kMostFps) : kDefaultFps))) {}

bool OutputClock::Leaps(microseconds timestamp) const {
  std::int64_t step = 0;  // the two may be anything: their difference may not fit
  if (__builtin_sub_overflow(timestamp.count(), last_timestamp_.count(), &step)) return true;
  return step < -kFurthestBack.count() || step > kFurthestAhead.count();
}

std::int64_t OutputClock::Place(microseconds timestamp) {
  if (!has_frame_ || Leaps(timestamp)) {
    base_ = has_frame_ ? last_ + step_ : 0;
    base_timestamp_ = timestamp;
  }
  const std::int64_t due = base_ + ToTicks(timestamp - base_timestamp_);
  if (!has_frame_) {
    last_ = due;
  } else if (due > last_) {
    step_ = due - last_;
    last_ = due;
  } else {
    ++last_;
  }
  has_frame_ = true;
  last_timestamp_ = timestamp;
  return last_;
}

}  // namespace holostat::media::av
