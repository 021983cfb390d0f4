#pragma once

#include <memory>

#include "base/result.h"
#include "holostat/holistic_tracker.h"
#include "vision/stage_clock.h"

namespace holostat::vision {

// HolisticTracker::Create with the clock that its stage times are read from, and without its guard:
// this may throw std::bad_alloc.
Result<std::unique_ptr<HolisticTracker>> CreateTracker(const HolisticTracker::Options& options,
                                                       StageClock::Now now);

}  // namespace holostat::vision
