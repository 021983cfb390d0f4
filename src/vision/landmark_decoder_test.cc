#include "vision/landmark_decoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace holostat::vision {
namespace {

TEST(LandmarkDecoder, DividesByTheCropAndDepthOnceMore) {
  const std::array<float, 6> raw = {112, 56, 22.4f, 224, 0, -224};
  std::array<Landmark, 2> out;
  DecodeLandmarks(raw, {224, 0.4f}, out);
  EXPECT_FLOAT_EQ(out[0].x, 0.5f);
  EXPECT_FLOAT_EQ(out[0].y, 0.25f);
  EXPECT_FLOAT_EQ(out[0].z, 0.25f);
  EXPECT_FLOAT_EQ(out[1].z, -2.5f);
}

TEST(LandmarkDecoder, PairsHaveNoDepth) {
  const std::array<float, 4> raw = {128, 64, 256, 512};
  std::array<Landmark, 2> out;
  out[0].z = 9;
  DecodeLandmarks(raw, {256}, out);
  EXPECT_FLOAT_EQ(out[1].x, 1);
  EXPECT_FLOAT_EQ(out[1].y, 2);
  EXPECT_EQ(out[0].z, 0);
}

TEST(LandmarkDecoder, VisibilityAndPresenceAreLogits) {
  const std::array<float, 5> raw = {64, 128, -256, std::log(3.0f), -std::log(3.0f)};
  std::array<PoseLandmark, 1> out;
  DecodePoseLandmarks(raw, 256, out);
  EXPECT_FLOAT_EQ(out[0].x, 0.25f);
  EXPECT_FLOAT_EQ(out[0].y, 0.5f);
  EXPECT_FLOAT_EQ(out[0].z, -1);
  EXPECT_FLOAT_EQ(out[0].visibility, 0.75f);
  EXPECT_FLOAT_EQ(out[0].presence, 0.25f);
}

}  // namespace
}  // namespace holostat::vision
