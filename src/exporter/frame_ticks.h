#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace holostat::exporter {

// Between any two times; as doubles, because the difference of two 64-bit numbers may not be one.
inline double SecondsBetween(std::chrono::microseconds from, std::chrono::microseconds to) {
  return (static_cast<double>(to.count()) - static_cast<double>(from.count())) / 1e6;
}

// From frames at any times to ticks at a constant rate, for formats that know nothing else. A frame
// that is not later than the one before, or later by more than 10 s, counts as one step later: the
// clock was set, or the video was cut there.
class FrameTicks {
 public:
  explicit FrameTicks(double fps) : step_s_(1 / fps) {}

  // The ticks that fall between the frame before and this one, as shares of the way: the first is
  // `first`, then each further by `by`, `count` in all. A tick within a quarter of a step of the
  // frame is the frame's own (share 1).
  struct Ticks {
    double first = 1, by = 1;
    std::uint64_t count = 0;
    double At(std::uint64_t i) const;
  };
  Ticks Add(std::chrono::microseconds timestamp);

 private:
  double step_s_;
  std::optional<std::chrono::microseconds> last_;
  double time_s_ = 0;        // of the last frame on our clock, from the first frame on
  std::uint64_t given_ = 0;  // ticks
};

}  // namespace holostat::exporter
