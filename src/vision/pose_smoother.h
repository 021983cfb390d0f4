#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

#include "holostat/frame_result.h"
#include "vision/normalized_rect.h"
#include "vision/one_euro_filter.h"

namespace holostat::vision {

// The two points of the pose model that place the body in the next frame: the middle of its hips,
// and how far and which way it reaches from there.
inline constexpr std::size_t kPoseAnchorCount = 2;

// One-euro filters of x, y and z of N points.
template <std::size_t N>
class PointFilter {
 public:
  explicit PointFilter(const OneEuroParameters& parameters) : parameters_(parameters) {}

  // Points of a timestamp that is not after the one before pass. `value_scale`: OneEuroFilter's.
  void Apply(std::chrono::microseconds timestamp, float value_scale,
             std::span<PoseLandmark, N> points);
  void Reset();

 private:
  struct Axes {
    OneEuroFilter x, y, z;
  };
  OneEuroParameters parameters_;
  std::optional<std::chrono::microseconds> last_;
  std::array<Axes, N> axes_;
};

// Makes a body steady over time, as the reference does (docs/tracking.md). Of fixed size.
class PoseSmoother {
 public:
  struct Points {
    std::span<PoseLandmark, kPoseLandmarkCount> landmarks;
    std::span<PoseLandmark, kPoseLandmarkCount> world_landmarks;
    std::span<PoseLandmark, kPoseAnchorCount> anchors;
  };

  PoseSmoother();

  // All that is `points` of one frame, later than the one before. The anchors are filtered in any
  // case, the rest only when `smooth_landmarks`, which must not change without a Reset.
  void Apply(std::chrono::microseconds timestamp, ImageSize image, bool smooth_landmarks,
             const Points& points);

  // The body was lost in this frame. What the reference keeps then is kept: visibilities and
  // metres.
  void Lose();

  void Reset();

 private:
  void SmoothVisibility(const Points& points);

  std::array<LowPassFilter, kPoseLandmarkCount> visibility_;
  PointFilter<kPoseLandmarkCount> landmarks_, world_;
  PointFilter<kPoseAnchorCount> anchors_;
};

}  // namespace holostat::vision
