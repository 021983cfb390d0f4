#include "render/skin_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "render/face_mesh.h"
#include "render/face_regions.h"

namespace holostat::render {
namespace {

// Skin everywhere but on the triangles that touch `odd` landmarks.
std::vector<SkinSample> Samples(const FaceRegions::Marks& odd, const Color& color) {
  std::vector<SkinSample> samples;
  int shade = 0;
  for (const Triangle& t : FaceSkinTriangles()) {
    const float light = static_cast<float>((shade = (shade + 7) % 20) - 10);
    const bool is_odd = odd[t[0]] || odd[t[1]] || odd[t[2]];
    samples.push_back({is_odd ? color : Color{180 + light, 140 + light, 120 + light}, 1});
  }
  return samples;
}

TEST(LikenessToSkin, SkinIsLikeSkin) {
  for (const float likeness : LikenessToSkin(Samples({}, {}))) EXPECT_GT(likeness, 0.9f);
}

TEST(LikenessToSkin, HairOverTheForeheadIsNot) {
  FaceRegions::Marks forehead{};
  forehead[10] = forehead[338] = forehead[297] = forehead[109] = true;
  const auto likeness = LikenessToSkin(Samples(forehead, {30, 25, 20}));
  EXPECT_LT(likeness[10], 0.05f);
  EXPECT_LT(likeness[338], 0.05f);
  EXPECT_GT(likeness[152], 0.9f) << "the chin";
}

TEST(LikenessToSkin, TheInnerFaceAlwaysCounts) {
  FaceRegions::Marks nose{};
  nose[1] = nose[4] = true;
  EXPECT_EQ(LikenessToSkin(Samples(nose, {0, 255, 0}))[1], 1);
}

TEST(LikenessToSkin, WithoutSamplesAllCounts) {
  const std::vector<SkinSample> none(FaceSkinTriangles().size());
  for (const float likeness : LikenessToSkin(none)) EXPECT_EQ(likeness, 1);
}

TEST(FaceRegions, RingsGrowFromTheOvalToTheNose) {
  const FaceRegions& regions = TheFaceRegions();
  for (const std::uint16_t i : FaceOvalLoop()) EXPECT_EQ(regions.rings[i], 0);
  EXPECT_GE(regions.rings[1], 7);
}

TEST(FaceRegions, KnowLipsAndBrows) {
  const FaceRegions& regions = TheFaceRegions();
  for (const int i : {0, 17, 13, 14, 11, 16, 61})
    EXPECT_TRUE(regions.lips[static_cast<std::size_t>(i)]) << i;
  for (const int i : {1, 2, 164, 18, 152, 205})
    EXPECT_FALSE(regions.lips[static_cast<std::size_t>(i)]) << i;
  EXPECT_TRUE(regions.brows[105]);
  EXPECT_TRUE(regions.brows[334]);
}

TEST(FaceRegions, NeighboursAreMutual) {
  const auto& neighbours = TheFaceRegions().neighbours;
  std::size_t sides = 0;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    for (const std::uint16_t n : neighbours.of(i)) {
      EXPECT_EQ(std::ranges::count(neighbours.of(n), i), 1);
      ++sides;
    }
  }
  EXPECT_EQ(sides, 2u * 1365);
}

}  // namespace
}  // namespace holostat::render
