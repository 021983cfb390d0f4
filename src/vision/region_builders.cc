#include "vision/region_builders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace holostat::vision {
namespace {

constexpr RectTransform kPoseTransform{.scale = 1.25f};
constexpr RectTransform kFaceSearchTransform{.scale = 3.0f};
constexpr RectTransform kFaceDetectionTransform{.scale = 2.0f, .shift_y = -0.1f};
constexpr RectTransform kFaceLandmarksTransform{.scale = 1.5f};
constexpr RectTransform kHandSearchTransform{.scale = 2.7f, .shift_y = -0.1f};
constexpr RectTransform kHandRecropTransform{.scale = 1.0f, .shift_y = -0.1f};
constexpr RectTransform kHandLandmarksTransform{.scale = 2.0f, .shift_y = -0.1f};

// Pose landmarks.
constexpr std::size_t kHeadPoints = 11;
constexpr std::size_t kPoseLeftEye = 2, kPoseRightEye = 5;
constexpr std::size_t kLeftWrist = 15, kRightWrist = 16;

// Face landmarks: outer corners of the eyes.
constexpr std::size_t kMeshRightEye = 33, kMeshLeftEye = 263;

// Hand landmarks: the palm and the lower joints. Fingertips would make the region jump about.
constexpr std::array<std::size_t, 12> kPalmPoints = {0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18};

struct Range {
  float min = std::numeric_limits<float>::max();
  float max = std::numeric_limits<float>::min();  // not lowest(): see BoundsOf

  void Add(float value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

template <class P>
Point XY(const P& p) {
  return {p.x, p.y};
}

float Distance(float dx, float dy) { return std::sqrt(dx * dx + dy * dy); }

// E then B: the upright box of points. A largest coordinate below zero counts as zero: the
// reference starts its maximum at the smallest positive float.
template <class P>
NormalizedRect BoundsOf(std::span<const P> points) {
  Range x, y;
  for (const P& p : points) {
    x.Add(p.x);
    y.Add(p.y);
  }
  const float width = x.max - x.min;
  const float height = y.max - y.min;
  return {x.min + width / 2, y.min + height / 2, width, height, 0};
}

// D: a square around `center` whose half side reaches `scale`, turned so that the direction from
// the one to the other shows at `target_degrees`. Not yet transformed.
NormalizedRect AlignmentRect(Point center, Point scale, float target_degrees, ImageSize image) {
  const float width = static_cast<float>(image.width);
  const float height = static_cast<float>(image.height);
  const float x = center.x * width, y = center.y * height;
  const float size = 2 * Distance(scale.x * width - x, scale.y * height - y);
  return {x / width, y / height, size / width, size / height,
          RotationBetween(center, scale, target_degrees, image)};
}

// From the wrist to the knuckles.
float HandRotation(std::span<const Landmark, kHandLandmarkCount> hand, ImageSize image) {
  const Landmark &index = hand[5], &middle = hand[9], &ring = hand[13];
  const Point knuckles{((index.x + ring.x) / 2 + middle.x) / 2,
                       ((index.y + ring.y) / 2 + middle.y) / 2};
  return RotationBetween(XY(hand[0]), knuckles, 90, image);
}

}  // namespace

NormalizedRect PoseRegion(const Detection& detection, ImageSize image) {
  const auto& points = detection.keypoints;
  return PoseRegion(points[kPoseHipCenter], points[kPoseFullBodyScale], image);
}

NormalizedRect PoseRegion(Point hip_center, Point full_body_scale, ImageSize image) {
  return Transformed(AlignmentRect(hip_center, full_body_scale, 90, image), kPoseTransform, image);
}

NormalizedRect FaceSearchRegion(std::span<const PoseLandmark, kPoseLandmarkCount> pose,
                                ImageSize image) {
  NormalizedRect rect = BoundsOf(std::span<const PoseLandmark>(pose.first<kHeadPoints>()));
  rect.rotation = RotationBetween(XY(pose[kPoseRightEye]), XY(pose[kPoseLeftEye]), 0, image);
  return Transformed(rect, kFaceSearchTransform, image);
}

NormalizedRect FaceRegion(const Detection& detection, ImageSize image) {
  // C: here the reference does start its maximum at the lowest float.
  const auto& points = detection.keypoints;
  const auto [left, right] =
      std::minmax_element(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x; });
  const auto [top, bottom] =
      std::minmax_element(points.begin(), points.end(), [](Point a, Point b) { return a.y < b.y; });
  const NormalizedRect rect{(left->x + right->x) / 2, (top->y + bottom->y) / 2, right->x - left->x,
                            bottom->y - top->y,
                            RotationBetween(points[kFaceRightEye], points[kFaceLeftEye], 0, image)};
  return Transformed(rect, kFaceDetectionTransform, image);
}

NormalizedRect FaceRegion(std::span<const Landmark> face, ImageSize image) {
  NormalizedRect rect = BoundsOf(face);
  rect.rotation = RotationBetween(XY(face[kMeshRightEye]), XY(face[kMeshLeftEye]), 0, image);
  return Transformed(rect, kFaceLandmarksTransform, image);
}

std::size_t WristIndex(Side side) { return side == Side::kLeft ? kLeftWrist : kRightWrist; }

NormalizedRect HandSearchRegion(std::span<const PoseLandmark, kPoseLandmarkCount> pose, Side side,
                                ImageSize image) {
  const std::size_t wrist_index = WristIndex(side);  // pinky and index follow in steps of two
  const PoseLandmark& wrist = pose[wrist_index];
  const PoseLandmark& pinky = pose[wrist_index + 2];
  const PoseLandmark& index = pose[wrist_index + 4];
  const float width = static_cast<float>(image.width);
  const float height = static_cast<float>(image.height);
  const float wrist_x = wrist.x * width, wrist_y = wrist.y * height;
  const float middle_x = (2 * (index.x * width) + pinky.x * width) / 3;
  const float middle_y = (2 * (index.y * height) + pinky.y * height) / 3;
  const float size = 2 * Distance(middle_x - wrist_x, middle_y - wrist_y);
  constexpr float kUp = static_cast<float>(std::numbers::pi * 0.5);
  const float rotation =
      NormalizeRadians(kUp - std::atan2(-(middle_y - wrist_y), middle_x - wrist_x));
  const NormalizedRect rect{middle_x / width, middle_y / height, size / width, size / height,
                            rotation};
  return Transformed(rect, kHandSearchTransform, image);
}

NormalizedRect HandRegion(Point center, Point scale, ImageSize image) {
  return Transformed(AlignmentRect(center, scale, -90, image), kHandRecropTransform, image);
}

NormalizedRect HandRegion(std::span<const Landmark, kHandLandmarkCount> hand, ImageSize image) {
  const float width = static_cast<float>(image.width);
  const float height = static_cast<float>(image.height);
  const float rotation = HandRotation(hand, image);
  const float back = NormalizeRadians(-rotation);
  Range x, y;
  for (std::size_t i : kPalmPoints) {
    x.Add(hand[i].x);
    y.Add(hand[i].y);
  }
  const float axis_x = (x.max + x.min) / 2;
  const float axis_y = (y.max + y.min) / 2;

  Range across, along;  // in the hand's own axes, pixels from the box's centre
  for (std::size_t i : kPalmPoints) {
    const float dx = (hand[i].x - axis_x) * width;
    const float dy = (hand[i].y - axis_y) * height;
    across.Add(dx * std::cos(back) - dy * std::sin(back));
    along.Add(dx * std::sin(back) + dy * std::cos(back));
  }
  const float center_x = (across.max + across.min) / 2;
  const float center_y = (along.max + along.min) / 2;
  const float c = std::cos(rotation), s = std::sin(rotation);
  const NormalizedRect rect{(center_x * c - center_y * s + width * axis_x) / width,
                            (center_x * s + center_y * c + height * axis_y) / height,
                            (across.max - across.min) / width, (along.max - along.min) / height,
                            rotation};
  return Transformed(rect, kHandLandmarksTransform, image);
}

}  // namespace holostat::vision
