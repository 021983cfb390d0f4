#pragma once

#include <array>
#include <cmath>

#include "holostat/frame_result.h"
#include "vision/rotation.h"

namespace holostat::vision {

// A world landmark in the axes of avatars: x to the left of a person who faces the camera, y up,
// z towards the camera. Metres.
template <class Point>
Vec3 ToAvatarAxes(const Point& point) {
  return {static_cast<double>(point.x), -static_cast<double>(point.y),
          -static_cast<double>(point.z)};
}

// The world landmarks of a person in the axes of avatars, and which of them are seen.
class BodyPoints {
 public:
  static constexpr float kSeen = 0.5f;  // visibility from which a landmark counts

  explicit BodyPoints(const Person& person) {
    for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
      points_[i] = ToAvatarAxes(person.pose_world_landmarks[i]);
      is_seen_[i] = person.pose_world_landmarks[i].visibility >= kSeen &&
                    std::isfinite(Dot(points_[i], points_[i]));
    }
  }

  const Vec3& operator[](std::size_t index) const { return points_[index]; }
  bool Sees(std::size_t index) const { return is_seen_[index]; }

  // As in a mirror: the left side is where the right one was.
  BodyPoints Mirrored() const {
    BodyPoints mirrored = *this;
    for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
      const std::size_t other = OtherSide(i);
      mirrored.points_[i] = {-points_[other].x, points_[other].y, points_[other].z};
      mirrored.is_seen_[i] = is_seen_[other];
    }
    return mirrored;
  }

  // The landmark of the other side: 0 is the nose, 1..6 are three of each eye, then left and right
  // take turns.
  static constexpr std::size_t OtherSide(std::size_t index) {
    if (index == 0) return 0;
    if (index <= 3) return index + 3;
    if (index <= 6) return index - 3;
    return index % 2 == 1 ? index + 1 : index - 1;
  }

 private:
  std::array<Vec3, kPoseLandmarkCount> points_;
  std::array<bool, kPoseLandmarkCount> is_seen_;
};

}  // namespace holostat::vision
