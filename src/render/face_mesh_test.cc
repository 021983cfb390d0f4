#include "render/face_mesh.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "holostat/frame_result.h"
#include "render/triangle_fill.h"

namespace holostat::render {
namespace {

TEST(FaceMesh, HasTheSizeItSays) {
  EXPECT_EQ(FaceTexturePlaces().size(), kFaceMeshCount);
  EXPECT_EQ(FaceTriangles().size(), 898u);
  EXPECT_EQ(FaceSkinTriangles().size(), 852u);
}

TEST(FaceMesh, NoTriangleIsTurnedOver) {
  const auto at = [](std::uint16_t i) {
    return Vec2{FaceTexturePlaces()[i].u, FaceTexturePlaces()[i].v};
  };
  for (const Triangle& t : FaceTriangles()) EXPECT_LT(Cross(at(t[0]), at(t[1]), at(t[2])), 0);
}

std::set<std::pair<int, int>> EdgesOf(std::span<const Triangle> triangles) {
  std::map<std::pair<int, int>, int> sides;
  for (const Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) ++sides[std::minmax<int>(t[i], t[(i + 1) % 3])];
  }
  std::set<std::pair<int, int>> edges;
  for (const auto& [side, count] : sides) {
    EXPECT_LE(count, 2);
    if (count == 1) edges.insert(side);
  }
  return edges;
}

std::set<std::pair<int, int>> SidesOf(std::initializer_list<std::span<const std::uint16_t>> loops) {
  std::set<std::pair<int, int>> sides;
  for (const auto loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i)
      sides.insert(std::minmax<int>(loop[i], loop[(i + 1) % loop.size()]));
  }
  return sides;
}

TEST(FaceMesh, ItsOnlyEdgeIsTheOval) {
  EXPECT_EQ(EdgesOf(FaceTriangles()), SidesOf({FaceOvalLoop()}));
}

TEST(FaceMesh, TheSkinIsOpenAtMouthAndEyes) {
  EXPECT_EQ(EdgesOf(FaceSkinTriangles()),
            SidesOf({FaceOvalLoop(), FaceInnerLipsLoop(), FaceLeftEyeLoop(), FaceRightEyeLoop()}));
}

}  // namespace
}  // namespace holostat::render
