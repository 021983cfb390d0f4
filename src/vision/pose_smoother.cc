#include "vision/pose_smoother.h"

#include <cmath>

namespace holostat::vision {
namespace {

constexpr float kVisibilityAlpha = 0.1f;
constexpr OneEuroParameters kLandmarkParameters{.min_cutoff = 0.05f, .beta = 80};
constexpr OneEuroParameters kWorldParameters{.min_cutoff = 0.1f, .beta = 40};
constexpr OneEuroParameters kAnchorParameters{.min_cutoff = 0.01f, .beta = 10};
// The reference's clocks begin here, so that a first frame at that time does not count for it.
constexpr std::chrono::microseconds kNever{0};
constexpr float kMetres = 1;            // their speed is not scaled
constexpr float kSmallestBody = 1e-6f;  // pixels; of a smaller one nothing is filtered

// Pixels, so that both axes and every size of picture are alike.
template <std::size_t N>
void Scale(std::span<PoseLandmark, N> points, float width, float height) {
  for (PoseLandmark& p : points) {
    p.x *= width;
    p.y *= height;
    p.z *= width;
  }
}
template <std::size_t N>
void Unscale(std::span<PoseLandmark, N> points, float width, float height) {
  for (PoseLandmark& p : points) {
    p.x /= width;
    p.y /= height;
    p.z /= width;
  }
}

// Pixels: a body that is near moves more of them, and is no less at rest.
float BodySize(std::span<const PoseLandmark, kPoseAnchorCount> anchors, ImageSize image) {
  const float dx = (anchors[1].x - anchors[0].x) * static_cast<float>(image.width);
  const float dy = (anchors[1].y - anchors[0].y) * static_cast<float>(image.height);
  return 2 * std::sqrt(dx * dx + dy * dy);
}

}  // namespace

template <std::size_t N>
void PointFilter<N>::Apply(std::chrono::microseconds timestamp, float value_scale,
                           std::span<PoseLandmark, N> points) {
  if (last_ ? timestamp <= *last_ : timestamp == kNever) return;
  // The first values pass whatever the step is.
  const double step_s = last_ ? std::chrono::duration<double>(timestamp - *last_).count() : 1.0;
  last_ = timestamp;
  for (std::size_t i = 0; i < N; ++i) {
    PoseLandmark& p = points[i];
    p.x = axes_[i].x.Apply(parameters_, step_s, value_scale, p.x);
    p.y = axes_[i].y.Apply(parameters_, step_s, value_scale, p.y);
    p.z = axes_[i].z.Apply(parameters_, step_s, value_scale, p.z);
  }
}

template <std::size_t N>
void PointFilter<N>::Reset() {
  last_.reset();
  axes_ = {};
}

template class PointFilter<kPoseLandmarkCount>;
template class PointFilter<kPoseAnchorCount>;

PoseSmoother::PoseSmoother()
    : landmarks_(kLandmarkParameters), world_(kWorldParameters), anchors_(kAnchorParameters) {}

void PoseSmoother::Apply(std::chrono::microseconds timestamp, ImageSize image,
                         bool smooth_landmarks, const Points& points) {
  const float width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const float body_size = BodySize(points.anchors, image);  // of the raw ones
  if (smooth_landmarks) {
    SmoothVisibility(points);
    world_.Apply(timestamp, kMetres, points.world_landmarks);
  }
  if (!(body_size >= kSmallestBody)) return;
  Scale(points.anchors, width, height);
  anchors_.Apply(timestamp, 1.0f / body_size, points.anchors);
  Unscale(points.anchors, width, height);
  if (!smooth_landmarks) return;
  Scale(points.landmarks, width, height);
  landmarks_.Apply(timestamp, 1.0f / body_size, points.landmarks);
  Unscale(points.landmarks, width, height);
}

void PoseSmoother::SmoothVisibility(const Points& points) {
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    PoseLandmark& p = points.landmarks[i];
    p.visibility = visibility_[i].Apply(p.visibility, kVisibilityAlpha);
    points.world_landmarks[i].visibility = p.visibility;
  }
}

void PoseSmoother::Lose() {
  landmarks_.Reset();
  anchors_.Reset();
}

void PoseSmoother::Reset() { *this = {}; }

}  // namespace holostat::vision
