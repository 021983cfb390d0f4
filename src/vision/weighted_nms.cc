#include "vision/weighted_nms.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace holostat::vision {
namespace {

constexpr float kMinOverlap = 0.3f;

// The members' average, weighted by their scores.
class Blend {
 public:
  void Add(const Detection& d) {
    total_ += d.score;
    x_min_ += d.x_min * d.score;
    y_min_ += d.y_min * d.score;
    x_max_ += (d.x_min + d.width) * d.score;
    y_max_ += (d.y_min + d.height) * d.score;
    for (std::size_t k = 0; k < keypoints_.size(); ++k) {
      keypoints_[k].x += d.keypoints[k].x * d.score;
      keypoints_[k].y += d.keypoints[k].y * d.score;
    }
  }

  Detection Mean(float score) const {
    Detection d;
    d.score = score;
    d.x_min = x_min_ / total_;
    d.y_min = y_min_ / total_;
    d.width = x_max_ / total_ - d.x_min;
    d.height = y_max_ / total_ - d.y_min;
    for (std::size_t k = 0; k < keypoints_.size(); ++k) {
      d.keypoints[k] = {keypoints_[k].x / total_, keypoints_[k].y / total_};
    }
    return d;
  }

 private:
  float total_ = 0;
  float x_min_ = 0, y_min_ = 0, x_max_ = 0, y_max_ = 0;
  std::array<Point, kMaxDetectionKeypoints> keypoints_{};
};

}  // namespace

float OverlapOf(const Detection& a, const Detection& b) {
  const float width = std::min(a.x_min + a.width, b.x_min + b.width) - std::max(a.x_min, b.x_min);
  const float height =
      std::min(a.y_min + a.height, b.y_min + b.height) - std::max(a.y_min, b.y_min);
  if (!(width > 0) || !(height > 0)) return 0;
  const float shared = width * height;
  const float all = a.width * a.height + b.width * b.height - shared;
  return all > 0 ? shared / all : 0;
}

std::size_t WeightedNms::Run(std::span<const Detection> candidates, std::span<Detection> out) {
  HOLO_CHECK(candidates.size() <= order_.size());
  std::span<std::uint32_t> rest(order_.data(), candidates.size());
  std::iota(rest.begin(), rest.end(), 0u);
  std::sort(rest.begin(), rest.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (candidates[a].score != candidates[b].score)
      return candidates[a].score > candidates[b].score;
    return a < b;
  });
  std::size_t count = 0;
  while (!rest.empty() && count < out.size()) {
    const Detection& top = candidates[rest.front()];
    Blend blend;
    std::size_t kept = 0;
    for (std::uint32_t i : rest) {
      if (OverlapOf(candidates[i], top) > kMinOverlap) {
        blend.Add(candidates[i]);
      } else {
        rest[kept++] = i;
      }
    }
    // A box without area overlaps nothing, not even itself: it stands alone, and the reference
    // stops looking there.
    const bool alone = kept == rest.size();
    out[count++] = alone ? top : blend.Mean(top.score);
    if (alone) break;
    rest = rest.first(kept);
  }
  return count;
}

}  // namespace holostat::vision
