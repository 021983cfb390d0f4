#include "vision/procrustes.h"

#include <array>

#include "base/check.h"

namespace holostat::vision {
namespace {

constexpr double kTooSmall = 1e-9;  // of a scale or a spread
constexpr int kSweeps = 30;         // of Jacobi's method; 4x4 matrices need about 6

using Matrix4 = std::array<std::array<double, 4>, 4>;

Vec3 Centre(std::span<const Vec3> points, std::span<const double> weights) {
  Vec3 sum;
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum = sum + weights[i] * points[i];
    total += weights[i];
  }
  return 1 / total * sum;
}

// Turns the rows and columns p and q of `a` so that a[p][q] becomes 0, and the columns of `vectors`
// with them.
void Turn(Matrix4& a, Matrix4& vectors, std::size_t p, std::size_t q) {
  if (a[p][q] == 0) return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const auto turn = [&](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (std::size_t k = 0; k < 4; ++k) turn(a[k][p], a[k][q]);
  for (std::size_t k = 0; k < 4; ++k) turn(a[p][k], a[q][k]);
  for (std::size_t k = 0; k < 4; ++k) turn(vectors[k][p], vectors[k][q]);
}

// Of the largest eigenvalue of a symmetric matrix.
Quaternion LargestEigenvector(Matrix4 a) {
  Matrix4 vectors{};
  for (std::size_t i = 0; i < 4; ++i) vectors[i][i] = 1;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t p = 0; p < 4; ++p) {
      for (std::size_t q = p + 1; q < 4; ++q) Turn(a, vectors, p, q);
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (a[i][i] > a[best][best]) best = i;
  }
  return {vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best]};
}

// Horn's N of the products of what is to be turned and what it is to meet.
Matrix4 HornMatrix(const Vec3& x, const Vec3& y, const Vec3& z) {
  return {{{x.x + y.y + z.z, y.z - z.y, z.x - x.z, x.y - y.x},
           {y.z - z.y, x.x - y.y - z.z, x.y + y.x, z.x + x.z},
           {z.x - x.z, x.y + y.x, -x.x + y.y - z.z, y.z + z.y},
           {x.y - y.x, z.x + x.z, y.z + z.y, -x.x - y.y + z.z}}};
}

}  // namespace

std::optional<Similarity> FitSimilarity(std::span<const Vec3> from, std::span<const Vec3> to,
                                        std::span<const double> weights) {
  HOLO_CHECK(from.size() == to.size() && from.size() == weights.size());
  const Vec3 from_centre = Centre(from, weights), to_centre = Centre(to, weights);
  Vec3 x, y, z;  // sums of each coordinate of `from` times the vector of `to`
  double spread = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3 a = from[i] - from_centre;
    const Vec3 b = weights[i] * (to[i] - to_centre);
    x = x + a.x * b;
    y = y + a.y * b;
    z = z + a.z * b;
    spread += weights[i] * Dot(a, a);
  }
  const double products = Length(x) + Length(y) + Length(z);
  if (!(spread > kTooSmall) || !(products > kTooSmall) || !std::isfinite(products))
    return std::nullopt;
  Similarity fit;
  fit.rotation = LargestEigenvector(HornMatrix(x, y, z));
  double along = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    along += weights[i] * Dot(fit.rotation.Rotate(from[i] - from_centre), to[i] - to_centre);
  }
  fit.scale = along / spread;
  if (!(fit.scale > kTooSmall)) return std::nullopt;
  fit.translation = to_centre - fit.scale * fit.rotation.Rotate(from_centre);
  return fit;
}

}  // namespace holostat::vision
