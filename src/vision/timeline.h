#pragma once

#include <chrono>
#include <optional>

namespace holostat::vision {

// Puts the frames of a session in time, whatever their timestamps claim.
class Timeline {
 public:
  // A step between two frames that is longer says nothing about how things moved.
  static constexpr std::chrono::microseconds kLongestStep = std::chrono::seconds(10);

  enum class Place {
    kFollows = 1,  // after the frame before, by at most kLongestStep
    kStarts,       // the first one, or time has jumped: two frames agree on it
    kStrays,       // not after the frame before, or too far from it: this one does not count
  };

  // Where a frame of that time belongs. One that strays leaves the timeline as it was, unless the
  // next one follows the stray: then time goes on there. Any value will do.
  Place Add(std::chrono::microseconds timestamp);

  void Reset() { *this = {}; }

 private:
  std::optional<std::chrono::microseconds> last_, stray_;
};

}  // namespace holostat::vision
