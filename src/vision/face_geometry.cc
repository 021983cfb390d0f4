#include "vision/face_geometry.h"

#include <algorithm>
#include <cmath>

#include "vision/canonical_face.h"

namespace holostat::vision {
namespace {

constexpr double kFieldOfView = 63 / kDegrees;  // vertical
constexpr double kPointSpread = 1e-3;           // of a face that is no more than a point

using BasisPoints = std::array<Vec3, kFaceBasis.size()>;

Vec3 CanonicalPoint(std::size_t index) {
  const auto& [x, y, z] = kCanonicalFace[index];
  return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
}

bool IsFinite(const Landmark& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

bool IsPoint(std::span<const Landmark> mesh) {
  const auto [left, right] = std::ranges::minmax(mesh, {}, &Landmark::x);
  const auto [top, bottom] = std::ranges::minmax(mesh, {}, &Landmark::y);
  return static_cast<double>(std::max(right.x - left.x, bottom.y - top.y)) <= 2 * kPointSpread;
}

// Lays the canonical face over the landmarks, as `map` places them.
template <class Map>
std::optional<Similarity> FitCanonical(std::span<const Landmark> mesh, const Map& map) {
  BasisPoints from, to;
  std::array<double, kFaceBasis.size()> weights;
  for (std::size_t i = 0; i < kFaceBasis.size(); ++i) {
    from[i] = CanonicalPoint(kFaceBasis[i].index);
    to[i] = map(mesh[kFaceBasis[i].index]);
    weights[i] = static_cast<double>(kFaceBasis[i].weight);
  }
  return FitSimilarity(from, to, weights);
}

}  // namespace

std::optional<FaceGeometry> FaceGeometry::Fit(const Face& face, int width, int height) {
  if (face.count < kFaceMeshCount || width <= 0 || height <= 0) return std::nullopt;
  const auto mesh = face.landmarks().first(kFaceMeshCount);
  if (!std::ranges::all_of(mesh, IsFinite) || IsPoint(mesh)) return std::nullopt;
  const double plane_height = 2 * std::tan(kFieldOfView / 2);
  const double plane_width = plane_height * width / height;
  double depth = 0;
  for (const Landmark& point : mesh) depth += static_cast<double>(point.z) * plane_width;
  FaceGeometry geometry(plane_width, plane_height, depth / static_cast<double>(mesh.size()));

  // The size without perspective first, then with the depth that this size gives.
  const auto flat = FitCanonical(mesh, [&](const Landmark& point) {
    const Vec3 on_plane = geometry.OnPlane(point);
    return Vec3{on_plane.x, on_plane.y, -on_plane.z};
  });
  if (!flat) return std::nullopt;
  const auto deep = FitCanonical(
      mesh, [&](const Landmark& point) { return geometry.ToCamera(point, flat->scale); });
  if (!deep) return std::nullopt;
  geometry.flat_rotation_ = flat->rotation;
  geometry.scale_ = flat->scale * deep->scale;
  const auto pose = FitCanonical(
      mesh, [&](const Landmark& point) { return geometry.ToCamera(point, geometry.scale_); });
  if (!pose) return std::nullopt;
  geometry.pose_ = *pose;
  return geometry;
}

Vec3 FaceGeometry::OnPlane(const Landmark& point) const {
  return {(static_cast<double>(point.x) - 0.5) * plane_width_,
          (0.5 - static_cast<double>(point.y)) * plane_height_,
          static_cast<double>(point.z) * plane_width_};
}

Vec3 FaceGeometry::ToCamera(const Landmark& point, double scale) const {
  const Vec3 on_plane = OnPlane(point);
  const double distance = (on_plane.z - depth_ + 1) / scale;
  return {on_plane.x * distance, on_plane.y * distance, -distance};
}

}  // namespace holostat::vision
