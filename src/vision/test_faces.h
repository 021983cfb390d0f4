#pragma once

#include <array>

#include "holostat/frame_result.h"
#include "vision/canonical_face.h"
#include "vision/rotation.h"

namespace holostat::vision {

// Faces for tests: MediaPipe's canonical face seen by the camera that FaceGeometry supposes.

inline constexpr int kTestWidth = 1280, kTestHeight = 720;

inline Quaternion TurnedBy(double yaw_deg, double pitch_deg, double roll_deg) {
  return AboutAxis({0, 1, 0}, yaw_deg / kDegrees) * AboutAxis({1, 0, 0}, -pitch_deg / kDegrees) *
         AboutAxis({0, 0, 1}, -roll_deg / kDegrees);
}

inline std::array<Vec3, kFaceRefinedCount> CanonicalPoints() {
  std::array<Vec3, kFaceRefinedCount> points;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    const auto& [x, y, z] = kCanonicalFace[i];
    points[i] = {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  }
  // The irises between the corners of their eyes, looking ahead.
  for (std::size_t i = 0; i < 5; ++i) {
    points[468 + i] = Middle(points[33], points[133]) + Vec3{0, 0.15, 0};
    points[473 + i] = Middle(points[263], points[362]) + Vec3{0, 0.15, 0};
  }
  return points;
}

// `points` (centimetres, as the canonical face lies), turned, put at `place` and photographed.
inline Face Photograph(const std::array<Vec3, kFaceRefinedCount>& points, const Quaternion& turn,
                       const Vec3& place) {
  std::array<Vec3, kFaceRefinedCount> seen;
  double depth = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    seen[i] = turn.Rotate(points[i]) + place;
    if (i < kFaceMeshCount) depth -= seen[i].z / static_cast<double>(kFaceMeshCount);
  }
  const double height = 2 * std::tan(63 / 2.0 / kDegrees);
  const double width = height * kTestWidth / kTestHeight;
  Face face;
  face.score = 1;
  face.count = kFaceRefinedCount;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = seen[i];
    face.points[i] = {static_cast<float>(0.5 - p.x / p.z / width),
                      static_cast<float>(0.5 + p.y / p.z / height),
                      static_cast<float>((-p.z / depth - 1) / width)};
  }
  return face;
}

// As in a mirror. `other[i]` is the point of the other side.
inline Face Mirrored(const Face& face, const std::array<std::uint16_t, kFaceRefinedCount>& other) {
  Face mirrored = face;
  for (std::size_t i = 0; i < face.count; ++i) {
    mirrored.points[i] = face.points[other[i]];
    mirrored.points[i].x = 1 - mirrored.points[i].x;
  }
  return mirrored;
}

// The point of the canonical face that lies nearest to the mirror image of each.
inline std::array<std::uint16_t, kFaceRefinedCount> MirrorOfFace() {
  const auto points = CanonicalPoints();
  std::array<std::uint16_t, kFaceRefinedCount> other{};
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    const Vec3 image{-points[i].x, points[i].y, points[i].z};
    for (std::size_t j = 1; j < kFaceMeshCount; ++j) {
      if (Length(points[j] - image) < Length(points[other[i]] - image))
        other[i] = static_cast<std::uint16_t>(j);
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    other[468 + i] = static_cast<std::uint16_t>(473 + i);
    other[473 + i] = static_cast<std::uint16_t>(468 + i);
  }
  return other;
}

}  // namespace holostat::vision
