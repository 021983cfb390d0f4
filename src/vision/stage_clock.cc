#include "vision/stage_clock.h"

#include <algorithm>

namespace holostat::vision {

using std::chrono::nanoseconds;

StageClock::StageClock()
    : times_{{{"pose_detection", nanoseconds(0), true},
              {"pose_landmark", nanoseconds(0), true},
              {"hand_recrop", nanoseconds(0), true},
              {"hand_landmark", nanoseconds(0), true},
              {"face_detection", nanoseconds(0), true},
              {"face_landmark", nanoseconds(0), true},
              {"crop", nanoseconds(0), false},
              {"decode", nanoseconds(0), false}}} {}

void StageClock::BeginFrame() {
  for (StageTime& time : times_) time.total = nanoseconds(0);
  frame_start_ = Clock::now();
}

void StageClock::EndFrame() {
  nanoseconds rest = Clock::now() - frame_start_;
  for (const StageTime& time : times_) rest -= time.total;
  times_[static_cast<std::size_t>(Stage::kDecode)].total = std::max(rest, nanoseconds(0));
}

}  // namespace holostat::vision
