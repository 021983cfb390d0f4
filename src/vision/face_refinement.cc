#include "vision/face_refinement.h"

#include "base/check.h"

namespace holostat::vision {
namespace {

void Overwrite(std::span<const float> rows, std::span<const std::uint16_t> points, float size,
               std::span<Landmark, kFaceRefinedCount> face) {
  HOLO_CHECK(rows.size() == 2 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    face[points[i]].x = rows[2 * i] / size;
    face[points[i]].y = rows[2 * i + 1] / size;
  }
}

void PlaceIris(std::span<const float> rows, std::span<const std::uint16_t> contour,
               std::size_t first, float size, std::span<Landmark, kFaceRefinedCount> face) {
  HOLO_CHECK(rows.size() == 2 * kIrisPointCount);
  double depth = 0;
  for (std::uint16_t i : contour) depth += static_cast<double>(face[i].z);
  const float mean = static_cast<float>(depth / static_cast<double>(contour.size()));
  for (std::size_t i = 0; i < kIrisPointCount; ++i) {
    face[first + i] = {rows[2 * i] / size, rows[2 * i + 1] / size, mean};
  }
}

}  // namespace

void RefineFace(const RefinedRegions& regions, int input_size,
                std::span<Landmark, kFaceRefinedCount> face) {
  const float size = static_cast<float>(input_size);
  Overwrite(regions.lips, kLipsPoints, size, face);
  Overwrite(regions.left_eye, kLeftEyePoints, size, face);
  Overwrite(regions.right_eye, kRightEyePoints, size, face);
  PlaceIris(regions.left_iris, kLeftEyeContour, kFaceMeshCount, size, face);
  PlaceIris(regions.right_iris, kRightEyeContour, kFaceMeshCount + kIrisPointCount, size, face);
}

}  // namespace holostat::vision
