#include "vision/detection_decoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace holostat::vision {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// One keypoint, input of 100 pixels.
std::size_t Decode(std::span<const float> boxes, std::span<const float> scores,
                   std::span<const Point> anchors, std::span<Detection> out) {
  return DecodeDetections({boxes, scores, 1, 100}, anchors, 0.5f, out);
}

TEST(DetectionDecoder, AddsTheAnchorToCentreAndKeypoints) {
  const std::array<float, 6> boxes = {10, -5, 20, 40, 1, 2};
  const std::array<float, 1> scores = {std::log(3.0f)};
  const std::array<Point, 1> anchors{{{0.5f, 0.25f}}};
  std::array<Detection, 1> out;
  ASSERT_EQ(Decode(boxes, scores, anchors, out), 1u);
  EXPECT_FLOAT_EQ(out[0].x_min, 0.5f);
  EXPECT_FLOAT_EQ(out[0].y_min, 0.0f);
  EXPECT_FLOAT_EQ(out[0].width, 0.2f);
  EXPECT_FLOAT_EQ(out[0].height, 0.4f);
  EXPECT_FLOAT_EQ(out[0].keypoints[0].x, 0.51f);
  EXPECT_FLOAT_EQ(out[0].keypoints[0].y, 0.27f);
  EXPECT_FLOAT_EQ(out[0].score, 0.75f);
}

TEST(DetectionDecoder, KeepsAScoreAtTheThresholdAndDropsNonsense) {
  constexpr std::size_t kCount = 6;
  std::array<float, kCount * 6> boxes{};
  std::array<float, kCount> scores{};  // logit 0: exactly 0.5
  const std::array<Point, kCount> anchors{};
  scores[1] = -1e-3f;  // just below
  boxes[2 * 6 + 2] = -1;
  boxes[3 * 6 + 3] = kNan;
  scores[4] = kNan;
  scores[5] = 1e30f;  // clipped, not infinite
  std::array<Detection, kCount> out;
  ASSERT_EQ(Decode(boxes, scores, anchors, out), 2u);
  EXPECT_EQ(out[0].score, 0.5f);
  EXPECT_EQ(out[1].score, 1.0f);
}

}  // namespace
}  // namespace holostat::vision
