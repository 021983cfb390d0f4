#include "vision/segmentation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "vision/crop.h"

namespace holostat::vision {
namespace {

constexpr std::size_t kValues = std::size_t{kMaskSize} * kMaskSize;

std::vector<std::uint8_t> Render(const SegmentationMask& mask, int width, int height) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(width * height), 77);
  RenderMask(mask, out.data(), width, height, width);
  return out;
}

TEST(Segmentation, LogitsBecomeProbabilities) {
  const std::array<float, 3> logits = {0, std::log(3.0f), -1000};
  std::array<float, 3> out;
  DecodeMask(logits, out);
  EXPECT_FLOAT_EQ(out[0], 0.5f);
  EXPECT_FLOAT_EQ(out[1], 0.75f);
  EXPECT_EQ(out[2], 0);
}

TEST(Segmentation, AtItsOwnSizeTheMaskIsCopied) {
  std::vector<float> values(kValues);
  values[3 * kMaskSize + 5] = 1;
  values[200 * kMaskSize + 100] = 0.5f;
  const auto out = Render({values, {1, 0, 0, 0, 1, 0}}, kMaskSize, kMaskSize);
  EXPECT_EQ(out[3 * kMaskSize + 5], 255);
  EXPECT_EQ(out[200 * kMaskSize + 100], 128);
  EXPECT_EQ(out[3 * kMaskSize + 6], 0);
}

// A mask with one point set, drawn at twice its size.
std::vector<std::uint8_t> RenderPointTwiceAsLarge(Sampling sampling) {
  std::vector<float> values(kValues);
  values[kMaskSize + 1] = 1;
  constexpr int kSize = 2 * kMaskSize;
  const PixelRegion whole = WholeImage({kSize, kSize});
  return Render({values, ImageToMask(whole, {kSize, kSize}, sampling)}, kSize, kSize);
}

TEST(Segmentation, UpscalingBlendsBetweenPixelCentres) {
  const auto out = RenderPointTwiceAsLarge(Sampling::kPixelCentres);
  const auto at = [&](int x, int y) {
    return out[static_cast<std::size_t>(y * 2 * kMaskSize + x)];
  };
  EXPECT_EQ(at(2, 2), 143);  // 3/4 of the way in both directions
  EXPECT_EQ(at(3, 3), 143);
  EXPECT_EQ(at(1, 2), 48);
  EXPECT_EQ(at(4, 3), 48);
  EXPECT_EQ(at(5, 3), 0);
}

TEST(Segmentation, AMaskSampledAsOpenCvBlendsBetweenIndicesWithoutHalfAPixel) {
  const auto out = RenderPointTwiceAsLarge(Sampling::kOpenCv);
  const auto at = [&](int x, int y) {
    return out[static_cast<std::size_t>(y * 2 * kMaskSize + x)];
  };
  EXPECT_NEAR(at(2, 2), 255, 1);
  EXPECT_NEAR(at(1, 2), 128, 1);
  EXPECT_NEAR(at(3, 3), 64, 1);
  EXPECT_NEAR(at(4, 2), 0, 1);
}

TEST(Segmentation, OutsideTheRegionThereIsNobody) {
  const std::vector<float> values(kValues, 1);
  // The region is the middle half of a picture of 100 x 100.
  const Matrix2x3 to_region = ImageToRegion({50, 50, 50, 50, 0}, {100, 100});
  const auto out = Render({values, to_region}, 100, 100);
  EXPECT_EQ(out[50 * 100 + 50], 255);
  EXPECT_EQ(out[50 * 100 + 26], 255);
  EXPECT_EQ(out[50 * 100 + 24], 0);
  EXPECT_EQ(out[50 * 100 + 76], 0);
  EXPECT_EQ(out[10 * 100 + 50], 0);
}

TEST(Segmentation, NonsenseDrawsNobody) {
  const std::vector<float> values(kValues, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::uint8_t> nobody(16, 0);
  EXPECT_EQ(Render({values, {nan, 0, 0, 0, 1, 0}}, 4, 4), nobody);
  EXPECT_EQ(Render({values, {1e30f, 0, 1e30f, 0, 1, 0}}, 4, 4), nobody);
  EXPECT_EQ(Render({std::span(values).first(10), {1, 0, 0, 0, 1, 0}}, 4, 4), nobody);
  const std::vector<float> undefined(kValues, nan);
  EXPECT_EQ(Render({undefined, {1, 0, 0, 0, 1, 0}}, 4, 4), nobody);
}

TEST(Segmentation, KeepsToItsRowsInAPaddedBuffer) {
  const std::vector<float> values(kValues, 1);
  std::vector<std::uint8_t> out(3 * 8, 77);
  RenderMask({values, {0.5f, 0, 0.1f, 0, 0.5f, 0.1f}}, out.data(), 4, 3, 8);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t x = 0; x < 8; ++x) EXPECT_EQ(out[row * 8 + x], x < 4 ? 255 : 77);
  }
}

}  // namespace
}  // namespace holostat::vision
