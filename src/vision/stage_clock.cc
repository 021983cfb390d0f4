#include "vision/stage_clock.h"

namespace holostat::vision {

using std::chrono::nanoseconds;

StageClock::StageClock(Now now)
    : now_(now),
      times_{{{"pose_detection", nanoseconds(0), true},
              {"pose_landmark", nanoseconds(0), true},
              {"hand_recrop", nanoseconds(0), true},
              {"hand_landmark", nanoseconds(0), true},
              {"face_detection", nanoseconds(0), true},
              {"face_landmark", nanoseconds(0), true},
              {"crop", nanoseconds(0), false},
              {"decode", nanoseconds(0), false}}} {}

void StageClock::BeginFrame() {
  for (StageTime& time : times_) time.total = nanoseconds(0);
  frame_start_ = now_();
}

void StageClock::EndFrame() {
  nanoseconds rest = now_() - frame_start_;
  for (const StageTime& time : times_) rest -= time.total;
  times_[static_cast<std::size_t>(Stage::kDecode)].total = rest;
}

}  // namespace holostat::vision
