#include "vision/anchors.h"

#include <gtest/gtest.h>

#include <array>

namespace holostat::vision {
namespace {

TEST(Anchors, PoseDetectorHas2254) {
  constexpr std::array<AnchorLayer, 3> kLayers{{{8, 2}, {16, 2}, {32, 6}}};
  const auto anchors = MakeAnchors(224, kLayers);
  ASSERT_EQ(anchors.size(), 2254u);
  EXPECT_FLOAT_EQ(anchors[0].x, 0.5f / 28);
  EXPECT_FLOAT_EQ(anchors[1].x, 0.5f / 28);  // two a cell
  EXPECT_FLOAT_EQ(anchors[2].x, 1.5f / 28);  // x runs fastest
  EXPECT_FLOAT_EQ(anchors[2].y, 0.5f / 28);
  EXPECT_FLOAT_EQ(anchors[56].y, 1.5f / 28);
  EXPECT_FLOAT_EQ(anchors[28 * 28 * 2].x, 0.5f / 14);
  EXPECT_FLOAT_EQ(anchors[2253].x, 6.5f / 7);
  EXPECT_FLOAT_EQ(anchors[2253].y, 6.5f / 7);
}

TEST(Anchors, FaceDetectorHas896) {
  constexpr std::array<AnchorLayer, 2> kLayers{{{8, 2}, {16, 6}}};
  EXPECT_EQ(MakeAnchors(128, kLayers).size(), 896u);
}

TEST(Anchors, RoundsAPartialCellUp) {
  constexpr std::array<AnchorLayer, 1> kLayers{{{16, 1}}};
  EXPECT_EQ(MakeAnchors(40, kLayers).size(), 9u);
}

}  // namespace
}  // namespace holostat::vision
