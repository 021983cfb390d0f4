#include "vision/body_match.h"

#include <algorithm>
#include <cmath>

namespace holostat::vision {
namespace {

constexpr float kSamePlace = 0.25f;      // of the size
constexpr float kTolerance = 0.1f;       // of the size
constexpr float kSameSimilarity = 0.5f;  // where all points are 0.12 of the size apart
constexpr float kUnseenWeight = 0.01f;   // so that bodies without a visible point compare as well

BodyPlace PlaceOf(Point hips, Point reach, ImageSize image) {
  const float width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const Point at{hips.x * width, hips.y * height};
  return {at, std::hypot(reach.x * width - at.x, reach.y * height - at.y)};
}

}  // namespace

BodyPlace PlaceOf(const Detection& detection, ImageSize image) {
  const auto& points = detection.keypoints;
  return PlaceOf(points[kPoseHipCenter], points[kPoseFullBodyScale], image);
}

BodyPlace PlaceOf(const Pose& pose, ImageSize image) {
  const auto& [hips, reach] = pose.anchors;
  return PlaceOf(Point{hips.x, hips.y}, Point{reach.x, reach.y}, image);
}

float DistanceOf(const BodyPlace& a, const BodyPlace& b) {
  return std::hypot(a.hips.x - b.hips.x, a.hips.y - b.hips.y) / std::max(a.size, b.size);
}

bool IsAt(const BodyPlace& detected, const BodyPlace& followed) {
  return DistanceOf(detected, followed) < kSamePlace;
}

float SimilarityOf(const Pose& a, const Pose& b, ImageSize image) {
  const float width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const float tolerance = kTolerance * std::sqrt(PlaceOf(a, image).size * PlaceOf(b, image).size);
  float sum = 0, weights = 0;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    const PoseLandmark &p = a.landmarks[i], &q = b.landmarks[i];
    const float dx = (p.x - q.x) * width / tolerance, dy = (p.y - q.y) * height / tolerance;
    const float weight = kUnseenWeight + p.visibility * q.visibility;
    sum += weight * std::exp(-0.5f * (dx * dx + dy * dy));
    weights += weight;
  }
  return sum / weights;
}

bool IsSameBody(const Pose& a, const Pose& b, ImageSize image) {
  return SimilarityOf(a, b, image) > kSameSimilarity;
}

}  // namespace holostat::vision
