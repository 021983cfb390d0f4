#pragma once

#include <chrono>
#include <cstdint>

namespace holostat::media::av {

// Puts the frames of a source on the time line of a file: from 0, each after the one before, as far
// apart as the source says. A source's clock may repeat itself, go back or leap (video.h).
class OutputClock {
 public:
  static constexpr int kTicksPerSecond = 90'000;  // MPEG's: exact for every usual frame rate

  // `fps`: of frames whose times do not tell how far apart they are. Not over 0: 30.
  explicit OutputClock(double fps);

  // Where a frame belongs, in ticks. A time that is not after the one before is moved to one tick
  // after it. A clock that was set (over 10 s back, over an hour ahead) goes on from there.
  std::int64_t Place(std::chrono::microseconds timestamp);

  // Between the last two frames, in ticks; before there are two, that of `fps`.
  std::int64_t step() const { return step_; }
  // Of the last frame, in ticks.
  std::int64_t last() const { return last_; }

 private:
  bool Leaps(std::chrono::microseconds timestamp) const;

  std::int64_t step_;
  bool has_frame_ = false;
  std::int64_t last_ = 0;
  std::chrono::microseconds last_timestamp_{0};
  // What is this far into the file was at that time of the source.
  std::int64_t base_ = 0;
  std::chrono::microseconds base_timestamp_{0};
};

}  // namespace holostat::media::av
