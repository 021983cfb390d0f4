#include "vision/rotation.h"

namespace holostat::vision {
namespace {

Quaternion Normalized(const Quaternion& q) {
  const double length = std::sqrt(Dot(q, q));
  if (!(length > 1e-12)) return {};
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

}  // namespace

Quaternion AboutAxis(const Vec3& axis, double radians) {
  const double s = std::sin(radians / 2);
  return {std::cos(radians / 2), s * axis.x, s * axis.y, s * axis.z};
}

// From the largest of the four, so that no root is of a difference near 0.
Quaternion FromAxes(const Vec3& x, const Vec3& y, const Vec3& z) {
  const double trace = x.x + y.y + z.z;
  Quaternion q;
  if (trace > x.x && trace > y.y && trace > z.z) {
    q = {1 + trace, y.z - z.y, z.x - x.z, x.y - y.x};
  } else if (x.x >= y.y && x.x >= z.z) {
    q = {y.z - z.y, 1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z};
  } else if (y.y >= z.z) {
    q = {z.x - x.z, x.y + y.x, 1 - x.x + y.y - z.z, y.z + z.y};
  } else {
    q = {x.y - y.x, z.x + x.z, y.z + z.y, 1 - x.x - y.y + z.z};
  }
  return Normalized(q);
}

Quaternion Between(const Vec3& from, const Vec3& to) {
  const Vec3 axis = Cross(from, to);
  const double w = 1 + Dot(from, to);
  if (w > 1e-9) return Normalized({w, axis.x, axis.y, axis.z});
  // Opposite: half a turn about anything across.
  const Vec3 other = std::abs(from.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 across = Cross(from, other);
  return Normalized({0, across.x, across.y, across.z});
}

Quaternion Slerp(const Quaternion& a, Quaternion b, double t) {
  double cosine = Dot(a, b);
  if (cosine < 0) {
    b = {-b.w, -b.x, -b.y, -b.z};
    cosine = -cosine;
  }
  double u = 1 - t, v = t;
  if (cosine < 0.9999) {  // nearer than that, a straight line is as good and no sine is near 0
    const double angle = std::acos(cosine);
    u = std::sin((1 - t) * angle) / std::sin(angle);
    v = std::sin(t * angle) / std::sin(angle);
  }
  return Normalized({u * a.w + v * b.w, u * a.x + v * b.x, u * a.y + v * b.y, u * a.z + v * b.z});
}

Quaternion Twist(const Quaternion& q, const Vec3& axis) {
  const double along = Dot(Vec3{q.x, q.y, q.z}, axis);
  return Normalized({q.w, along * axis.x, along * axis.y, along * axis.z});
}

}  // namespace holostat::vision
