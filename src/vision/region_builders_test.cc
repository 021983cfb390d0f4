#include "vision/region_builders.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "vision/crop.h"
#include "vision/projection.h"

namespace holostat::vision {
namespace {

// Expected numbers: worked by hand in double precision from the formulas of docs/pipeline.md.
constexpr ImageSize kImage{1280, 720};
constexpr double kNear = 2e-6;

void ExpectRect(const NormalizedRect& r, double x, double y, double w, double h, double rotation) {
  EXPECT_NEAR(static_cast<double>(r.x_center), x, kNear);
  EXPECT_NEAR(static_cast<double>(r.y_center), y, kNear);
  EXPECT_NEAR(static_cast<double>(r.width), w, kNear);
  EXPECT_NEAR(static_cast<double>(r.height), h, kNear);
  EXPECT_NEAR(static_cast<double>(r.rotation), rotation, kNear);
}

using PosePoints = std::array<PoseLandmark, kPoseLandmarkCount>;

PosePoints PoseWithLeftHand() {
  PosePoints pose;
  pose[15] = {0.30f, 0.50f};
  pose[17] = {0.27f, 0.44f};
  pose[19] = {0.29f, 0.42f};
  return pose;
}

Detection Body(Point hip_center, Point full_body_scale) {
  Detection d;
  d.keypoints[kPoseHipCenter] = hip_center;
  d.keypoints[kPoseFullBodyScale] = full_body_scale;
  return d;
}

TEST(RegionBuilders, PoseRegionReachesFromHipsToScalePoint) {
  ExpectRect(PoseRegion(Body({0.5f, 0.6f}, {0.52f, 0.1f}), kImage), 0.5, 0.6, 0.7049005360,
             1.2531565084, 0.0709916088);
}

TEST(RegionBuilders, HandSearchRegionIsUpThePalm) {
  ExpectRect(HandSearchRegion(PoseWithLeftHand(), Side::kLeft, kImage), 0.28, 0.412, 0.2402447970,
             0.4271018614, -0.3839846240);
}

TEST(RegionBuilders, HandSearchRegionOfTheRightSideUsesItsOwnPoints) {
  const PosePoints left = PoseWithLeftHand();
  PosePoints right;
  for (std::size_t i : {15u, 17u, 19u}) right[i + 1] = left[i];
  ExpectRect(HandSearchRegion(right, Side::kRight, kImage), 0.28, 0.412, 0.2402447970, 0.4271018614,
             -0.3839846240);
}

TEST(RegionBuilders, HandRegionFollowsTheRecropPoints) {
  const NormalizedRect search = HandSearchRegion(PoseWithLeftHand(), Side::kLeft, kImage);
  std::array<Landmark, 2> points{{{128.0f / 256, 120.0f / 256}, {128.0f / 256, 200.0f / 256}}};
  ProjectToImage(search, std::span<Landmark>(points));
  EXPECT_NEAR(points[0].x, 0.2771875f, kNear);
  EXPECT_NEAR(points[0].y, 0.399625f, kNear);
  EXPECT_NEAR(points[1].x, 0.3053125f, kNear);
  EXPECT_NEAR(points[1].y, 0.523375f, kNear);
  ExpectRect(HandRegion(Point{points[0].x, points[0].y}, Point{points[1].x, points[1].y}, kImage),
             0.2715625, 0.374875, 0.1501529981, 0.2669386634, -0.3839846240);
}

TEST(RegionBuilders, PoseRegionOfTheNextFrameReachesFromHipsToScalePoint) {
  ExpectRect(PoseRegion(Point{0.5f, 0.6f}, Point{0.52f, 0.1f}, kImage), 0.5, 0.6, 0.7049005360,
             1.2531565084, 0.0709916088);
}

TEST(RegionBuilders, HandRegionOfLandmarksBoxesThePalmInItsOwnAxes) {
  std::array<Landmark, kHandLandmarkCount> hand;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    const float n = static_cast<float>(i);
    hand[i] = {0.5f + 0.01f * n * std::cos(n), 0.4f + 0.012f * n * std::sin(n)};
  }
  ExpectRect(HandRegion(hand, kImage), 0.5169982275, 0.3913603646, 0.4329554914, 0.7696986514,
             -2.6133148108);
}

TEST(RegionBuilders, FaceRegionOfLandmarksTurnsByTheEyeCorners) {
  std::array<Landmark, kFaceMeshCount> face;
  face.fill({0.5f, 0.5f});
  face[33] = {0.4f, 0.5f};
  face[263] = {0.6f, 0.5f};
  ExpectRect(FaceRegion(face, kImage), 0.5, 0.5, 0.3, 0.3 * 1280 / 720, 0);
}

TEST(RegionBuilders, FaceSearchRegionBoxesTheHeadPoints) {
  constexpr std::array<Point, 11> kHead = {{{0.45f, 0.28f},
                                            {0.47f, 0.25f},
                                            {0.48f, 0.26f},
                                            {0.49f, 0.27f},
                                            {0.44f, 0.24f},
                                            {0.42f, 0.25f},
                                            {0.41f, 0.25f},
                                            {0.50f, 0.29f},
                                            {0.40f, 0.20f},
                                            {0.46f, 0.35f},
                                            {0.44f, 0.34f}}};
  PosePoints pose;
  for (std::size_t i = 0; i < kHead.size(); ++i) {
    pose[i].x = kHead[i].x;
    pose[i].y = kHead[i].y;
  }
  ExpectRect(FaceSearchRegion(pose, kImage), 0.45, 0.275, 0.3, 0.5333333333, 0.0934767812);
}

TEST(RegionBuilders, FaceRegionOfADetectionBoxesItsKeypoints) {
  Detection d;
  d.keypoints = {{{0.42f, 0.25f},
                  {0.48f, 0.26f},
                  {0.45f, 0.29f},
                  {0.45f, 0.33f},
                  {0.39f, 0.26f},
                  {0.52f, 0.28f}}};
  ExpectRect(FaceRegion(d, kImage), 0.4554200332, 0.2820349262, 0.26, 0.4622222222, 0.0934767812);
}

TEST(RegionBuilders, AHeadLeftOfThePictureReachesToItsEdge) {
  // The reference starts its maximum at the smallest positive float: 0.4 wide, not 0.2.
  PosePoints pose;
  for (std::size_t i = 0; i < 11; ++i) pose[i] = {-0.3f, 0.2f};
  pose[5] = {-0.4f, 0.1f};
  pose[2] = {-0.2f, 0.1f};
  pose[9] = {-0.3f, 0.3f};
  ExpectRect(FaceSearchRegion(pose, kImage), -0.2, 0.2, 1.2, 1.2 * 1280 / 720, 0);
}

TEST(RegionBuilders, PointsOnTopOfEachOtherGiveNoRegion) {
  EXPECT_FALSE(ToPixels(PoseRegion(Body({0.5f, 0.5f}, {0.5f, 0.5f}), kImage), kImage));
  EXPECT_FALSE(ToPixels(HandSearchRegion(PosePoints{}, Side::kLeft, kImage), kImage));
}

TEST(RegionBuilders, UndefinedPointsGiveNoRegion) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (float bad : {kNan, kInfinity, -kInfinity, 3e38f}) {
    EXPECT_FALSE(ToPixels(PoseRegion(Body({bad, 0.5f}, {0.5f, 0.4f}), kImage), kImage));
    EXPECT_FALSE(ToPixels(PoseRegion(Body({0.5f, 0.5f}, {0.5f, bad}), kImage), kImage));
    PosePoints pose = PoseWithLeftHand();
    pose[19].y = bad;
    EXPECT_FALSE(ToPixels(HandSearchRegion(pose, Side::kLeft, kImage), kImage));
    pose[3].x = bad;
    const NormalizedRect face = FaceSearchRegion(pose, kImage);
    if (std::isnan(bad)) continue;  // min and max pass over it
    EXPECT_FALSE(ToPixels(face, kImage));
  }
}

}  // namespace
}  // namespace holostat::vision
