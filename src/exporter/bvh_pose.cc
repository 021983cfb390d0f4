#include "exporter/bvh_pose.h"

#include <algorithm>
#include <cmath>

#include "exporter/frame_ticks.h"
#include "vision/signals_body.h"

namespace holostat::exporter {
namespace {

using vision::kDegrees;
using vision::Quaternion;
using vision::Vec3;

constexpr double kSmoothing = 1;  // s, of the scale of the picture

// Turned no further than `limit`.
Quaternion Limited(const Quaternion& q, double limit_deg) {
  const double angle = vision::AngleDegrees({}, q);
  return angle <= limit_deg ? q : vision::Slerp({}, q, limit_deg / angle);
}

// How the metres of a person lie on the pixels of the picture where perspective is left out:
// pixels * metres_per_pixel + offset.
struct PictureScale {
  double metres_per_pixel;
  Vec3 metres, pixels;  // centres of the landmarks; the hips are at 0 metres
};

// Least squares over the landmarks that are seen; y is down in both.
std::optional<PictureScale> ScaleOf(const Person& person, int width, int height) {
  const vision::BodyPoints body(person);
  std::array<Vec3, kPoseLandmarkCount> pixels;
  PictureScale scale{};
  double count = 0;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    const PoseLandmark& point = person.pose_landmarks[i];
    pixels[i] = {static_cast<double>(point.x) * width, static_cast<double>(point.y) * height, 0};
    if (!body.Sees(i) || !std::isfinite(vision::Dot(pixels[i], pixels[i]))) continue;
    scale.metres = scale.metres + Vec3{body[i].x, -body[i].y, 0};
    scale.pixels = scale.pixels + pixels[i];
    ++count;
  }
  if (count < 2) return std::nullopt;
  scale.metres = 1 / count * scale.metres;
  scale.pixels = 1 / count * scale.pixels;
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    if (!body.Sees(i)) continue;
    const Vec3 pixel = pixels[i] - scale.pixels;
    products += vision::Dot(Vec3{body[i].x, -body[i].y, 0} - scale.metres, pixel);
    squares += vision::Dot(pixel, pixel);
  }
  scale.metres_per_pixel = products / squares;
  if (!(scale.metres_per_pixel > 0) || !std::isfinite(scale.metres_per_pixel)) return std::nullopt;
  return scale;
}

// How far under the hips the lowest foot is.
double LegHeight(const Person& person) {
  double lowest = 0;
  for (const std::size_t i : {27u, 28u, 29u, 30u, 31u, 32u}) {
    const double y = vision::ToAvatarAxes(person.pose_world_landmarks[i]).y;
    if (std::isfinite(y)) lowest = std::min(lowest, y);
  }
  return -lowest;
}

}  // namespace

BvhPose Between(const BvhPose& a, const BvhPose& b, double t) {
  if (t >= 1) return b;
  BvhPose pose;
  pose.root = a.root + t * (b.root - a.root);
  for (std::size_t i = 0; i < kBvhJointCount; ++i)
    pose.joints[i] = vision::Slerp(a.joints[i], b.joints[i], t);
  return pose;
}

const BvhPose& BvhPoser::Add(const Person& person, const vision::Signals& signals, int width,
                             int height, std::chrono::microseconds timestamp) {
  for (std::size_t i = 0; i < kBvhJointCount; ++i) {
    const BvhJoint& joint = kBvhJoints[i];
    const auto& rotation = signals.bones[vision::IndexOf(joint.bone)];
    if (rotation) pose_.joints[i] = Limited(*rotation, joint.limit_deg);
  }
  MoveRoot(person, width, height, timestamp);
  return pose_;
}

// The hips' place in the picture, in the metres of the person's depth. That scale is smoothed, or
// its noise would move a person who stands off the centre. Depth is not told: z stays 0.
void BvhPoser::MoveRoot(const Person& person, int width, int height,
                        std::chrono::microseconds timestamp) {
  const auto scale = ScaleOf(person, width, height);
  if (!scale) return;
  const bool is_first = !metres_per_pixel_;
  const double gap_s = SecondsBetween(last_, timestamp);
  const double share = 1 - std::exp(-std::max(gap_s, 0.0) / kSmoothing);
  metres_per_pixel_ =
      is_first ? scale->metres_per_pixel
               : *metres_per_pixel_ + share * (scale->metres_per_pixel - *metres_per_pixel_);
  last_ = timestamp;
  const Vec3 centre{width / 2.0, height / 2.0, 0};
  const Vec3 hips = *metres_per_pixel_ * (scale->pixels - centre) - scale->metres;
  if (is_first) floor_ = -hips.y - LegHeight(person);
  pose_.root = {hips.x, -hips.y - floor_, 0};
}

}  // namespace holostat::exporter
