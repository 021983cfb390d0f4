#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace holostat::vision {

// Vectors and rotations in double precision: what the signals are computed with. Right-handed.

inline constexpr double kDegrees = 180 / std::numbers::pi;  // of a radian

struct Vec3 {
  double x = 0, y = 0, z = 0;

  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline double Dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 Cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double Length(const Vec3& a) { return std::sqrt(Dot(a, a)); }
inline Vec3 Middle(const Vec3& a, const Vec3& b) { return 0.5 * (a + b); }

// Of length 1; nothing for one that is too short to have a direction, or not finite.
inline std::optional<Vec3> Unit(const Vec3& a) {
  const double length = Length(a);
  if (!(length > 1e-9) || !std::isfinite(length)) return std::nullopt;
  return 1 / length * a;
}

// 0..180; 0 where one has no direction.
inline double AngleDegrees(const Vec3& a, const Vec3& b) {
  return std::atan2(Length(Cross(a, b)), Dot(a, b)) * kDegrees;
}

// A rotation: a quaternion of length 1. q * p rotates by p first.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;

  friend Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  Quaternion Inverse() const { return {w, -x, -y, -z}; }
  Vec3 Rotate(const Vec3& v) const {
    const Vec3 axis{x, y, z};
    const Vec3 t = 2.0 * Cross(axis, v);
    return v + w * t + Cross(axis, t);
  }
};

inline double Dot(const Quaternion& a, const Quaternion& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
// How far b is turned from a, 0..180.
inline double AngleDegrees(const Quaternion& a, const Quaternion& b) {
  const Quaternion d = a.Inverse() * b;
  return 2 * std::atan2(Length({d.x, d.y, d.z}), std::abs(d.w)) * kDegrees;
}

// `axis` of length 1.
Quaternion AboutAxis(const Vec3& axis, double radians);
// Turns the axes x, y, z into these three, which are orthonormal and right-handed.
Quaternion FromAxes(const Vec3& x, const Vec3& y, const Vec3& z);
// The shortest turn from one direction to the other, both of length 1.
Quaternion Between(const Vec3& from, const Vec3& to);
// The shorter way from a (t = 0) to b (t = 1).
Quaternion Slerp(const Quaternion& a, Quaternion b, double t);
// The part of q that turns about `axis` (of length 1); the rest, q * twist^-1, has none of it.
Quaternion Twist(const Quaternion& q, const Vec3& axis);

}  // namespace holostat::vision
