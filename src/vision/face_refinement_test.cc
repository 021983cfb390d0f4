#include "vision/face_refinement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace holostat::vision {
namespace {

// Rows (first, first + 1), (first + 2, first + 3), ... in pixels of a crop of one pixel.
template <std::size_t N>
std::array<float, 2 * N> Rows(float first) {
  std::array<float, 2 * N> rows;
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

TEST(FaceRefinement, OverwritesTheRegionsAndAppendsTheIrises) {
  const auto lips = Rows<80>(1000);
  const auto left_eye = Rows<71>(2000), right_eye = Rows<71>(3000);
  const auto left_iris = Rows<5>(4000), right_iris = Rows<5>(5000);
  std::array<Landmark, kFaceRefinedCount> face;
  for (std::size_t i = 0; i < face.size(); ++i) face[i] = {0, 0, static_cast<float>(i)};
  RefineFace({lips, left_eye, right_eye, left_iris, right_iris}, 1, face);

  EXPECT_EQ(face[61].x, 1000);  // first of the lips
  EXPECT_EQ(face[61].y, 1001);
  EXPECT_EQ(face[61].z, 61);  // depth stays that of the mesh
  EXPECT_EQ(face[33].x, 2000);
  EXPECT_EQ(face[263].x, 3000);
  EXPECT_EQ(face[468].x, 4000);
  EXPECT_EQ(face[472].y, 4009);
  EXPECT_EQ(face[473].x, 5000);
  EXPECT_EQ(face[477].y, 5009);
  EXPECT_EQ(face[1].x, 0);  // the nose tip is in no region
  // Mean of the indices around each eye, which stand for depths here.
  EXPECT_FLOAT_EQ(face[468].z, 2301.0f / 16);
  EXPECT_FLOAT_EQ(face[473].z, 5948.0f / 16);
}

TEST(FaceRefinement, DividesByTheSizeOfTheCrop) {
  const auto lips = Rows<80>(0);
  const auto left_eye = Rows<71>(0), right_eye = Rows<71>(0);
  const auto iris = Rows<5>(96);
  std::array<Landmark, kFaceRefinedCount> face{};
  RefineFace({lips, left_eye, right_eye, iris, iris}, 192, face);
  EXPECT_FLOAT_EQ(face[468].x, 0.5f);
}

TEST(FaceRefinement, TheRegionsShareNoPoint) {
  std::set<std::uint16_t> seen;
  for (std::span<const std::uint16_t> points :
       {std::span<const std::uint16_t>(kLipsPoints), std::span<const std::uint16_t>(kLeftEyePoints),
        std::span<const std::uint16_t>(kRightEyePoints)}) {
    for (std::uint16_t p : points) {
      EXPECT_LT(p, kFaceMeshCount);
      EXPECT_TRUE(seen.insert(p).second) << p;
    }
  }
  EXPECT_EQ(seen.size(), 80u + 71u + 71u);
}

}  // namespace
}  // namespace holostat::vision
