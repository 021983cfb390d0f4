#include "exporter/euler.h"

#include <cmath>

namespace holostat::exporter {
namespace {

using vision::kDegrees;
using vision::Quaternion;
using vision::Vec3;

constexpr double kLocked = 1e-7;  // cosine of the second angle

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix MatrixOf(const Quaternion& q) {
  const Vec3 x = q.Rotate({1, 0, 0}), y = q.Rotate({0, 1, 0}), z = q.Rotate({0, 0, 1});
  return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

Vec3 Axis(std::uint8_t axis) {
  return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

EulerAngles Near(EulerAngles angles, const EulerAngles& before) {
  for (std::size_t n = 0; n < 3; ++n) angles[n] += 360 * std::round((before[n] - angles[n]) / 360);
  return angles;
}

double Distance(const EulerAngles& a, const EulerAngles& b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

}  // namespace

EulerAngles EulerNear(const Quaternion& rotation, const AxisOrder& order,
                      const EulerAngles& before) {
  const auto [i, j, k] = order;
  const double sign = (i + 1) % 3 == j ? 1 : -1;  // whether the axes go around as x, y, z do
  const Matrix m = MatrixOf(rotation);
  const double second = std::asin(std::clamp(sign * m[i][k], -1.0, 1.0)) * kDegrees;
  if (std::hypot(m[i][i], m[i][j]) < kLocked) {
    const Matrix rest = MatrixOf(rotation * vision::AboutAxis(Axis(k), -before[2] / kDegrees));
    return Near({std::atan2(sign * rest[k][j], rest[j][j]) * kDegrees, second, before[2]}, before);
  }
  const double first = std::atan2(-sign * m[j][k], m[k][k]) * kDegrees;
  const double third = std::atan2(-sign * m[i][j], m[i][i]) * kDegrees;
  const EulerAngles one = Near({first, second, third}, before);
  const EulerAngles other = Near({first + 180, 180 - second, third + 180}, before);
  return Distance(one, before) <= Distance(other, before) ? one : other;
}

}  // namespace holostat::exporter
