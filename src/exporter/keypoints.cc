#include "exporter/keypoints.h"

#include <algorithm>
#include <cmath>

namespace holostat::exporter {

Keypoint KeypointReader::At(float x, float y, float confidence) const {
  const Keypoint point{x * width_, y * height_, confidence};
  const bool is_there =
      std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(confidence);
  return is_there ? point : Keypoint{};
}

Keypoint KeypointReader::Body(const Person& person, BodyKeypoint which) const {
  if (which.first < 0) return {};
  const PoseLandmark& a = person.pose_landmarks[static_cast<std::size_t>(which.first)];
  if (which.second < 0) return At(a.x, a.y, a.visibility);
  const PoseLandmark& b = person.pose_landmarks[static_cast<std::size_t>(which.second)];
  return At((a.x + b.x) / 2, (a.y + b.y) / 2, std::min(a.visibility, b.visibility));
}

Keypoint KeypointReader::OfFace(const std::optional<Face>& face, std::size_t index) const {
  if (!face || index >= face->count) return {};
  const Landmark& point = face->points[index];
  return At(point.x, point.y, face->score);
}

Keypoint KeypointReader::OfHand(const std::optional<Hand>& hand, std::size_t index) const {
  if (!hand) return {};
  const Landmark& point = hand->landmarks[index];
  return At(point.x, point.y, hand->score);
}

}  // namespace holostat::exporter
