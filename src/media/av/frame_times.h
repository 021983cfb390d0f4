#pragma once

extern "C" {
#include <libavutil/rational.h>
}

#include <chrono>
#include <cstdint>
#include <optional>

namespace holostat::media::av {

// The timestamps of frames, in the order of showing, from the source's start on.
class FrameTimes {
 public:
  // `time_base` of the source's timestamps; `start` in it, if the source names one; `step` from a
  // frame to the next where the source says nothing.
  FrameTimes(AVRational time_base, std::optional<std::int64_t> start,
             std::chrono::microseconds step)
      : time_base_(time_base), start_(start), step_(step) {}

  // The next frame's. Nothing: the source does not say.
  std::chrono::microseconds Next(std::optional<std::int64_t> timestamp);

  // The frames continue at `time`, not where they were.
  void Continue(std::chrono::microseconds time) { expected_ = time; }

  // A time since the start in the source's time base. Nothing where no start is known.
  std::optional<std::int64_t> ToSource(std::chrono::microseconds time) const;

  // How many were missing, or did not come after the one before.
  std::uint64_t odd() const { return odd_; }

 private:
  AVRational time_base_;
  std::optional<std::int64_t> start_;
  std::chrono::microseconds step_;
  std::chrono::microseconds expected_{0};  // where the next frame's is missing
  std::optional<std::chrono::microseconds> last_;
  std::uint64_t odd_ = 0;
};

}  // namespace holostat::media::av
