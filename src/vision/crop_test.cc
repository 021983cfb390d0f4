#include "vision/crop.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numbers>
#include <vector>

namespace holostat::vision {
namespace {

constexpr ImageSize kImage{1280, 720};
constexpr float kPi = std::numbers::pi_v<float>;

TEST(Crop, RefusesWhatHasNoPixels) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(ToPixels({-3, 7, 0.1f, 0.2f, 40}, kImage));  // outside is not refused
  EXPECT_FALSE(ToPixels({0.5f, 0.5f, 0, 0, 0}, kImage));
  EXPECT_FALSE(ToPixels({0.5f, 0.5f, 0.1f, -0.1f, 0}, kImage));
  EXPECT_FALSE(ToPixels({0.5f, 0.5f, 0.1f, 0.1f, kNan}, kImage));
  EXPECT_FALSE(ToPixels({kNan, 0.5f, 0.1f, 0.1f, 0}, kImage));
  EXPECT_FALSE(ToPixels({0.5f, 0.5f, kNan, 0.1f, 0}, kImage));
  EXPECT_FALSE(ToPixels({0.5f, 1e9f, 0.1f, 0.1f, 0}, kImage));
  EXPECT_FALSE(ToPixels({0.5f, 0.5f, 0.1f, 1e9f, 0}, kImage));
}

TEST(Crop, LetterboxesAWidePictureAboveAndBelow) {
  PixelRegion region = WholeImage(kImage);
  const Padding padding = PadToAspect(region, 224, 224);
  EXPECT_FLOAT_EQ(region.width, 1280);
  EXPECT_FLOAT_EQ(region.height, 1280);
  EXPECT_FLOAT_EQ(padding.top, 0.21875f);
  EXPECT_FLOAT_EQ(padding.bottom, 0.21875f);
  EXPECT_EQ(padding.left, 0.0f);
  EXPECT_EQ(padding.right, 0.0f);
}

TEST(Crop, LetterboxesATallPictureAtBothSides) {
  PixelRegion region = WholeImage({300, 600});
  const Padding padding = PadToAspect(region, 224, 224);
  EXPECT_FLOAT_EQ(region.width, 600);
  EXPECT_FLOAT_EQ(padding.left, 0.25f);
  EXPECT_FLOAT_EQ(padding.right, 0.25f);
  EXPECT_EQ(padding.top, 0.0f);
}

TEST(Crop, AsOpenCvItSamplesFromTheUpperLeftCornerWithoutHalfAPixel) {
  const media::Affine m = SamplingMatrix({100, 50, 64, 32, 0}, 16, 16, Sampling::kOpenCv);
  EXPECT_DOUBLE_EQ(m[2], 68);
  EXPECT_DOUBLE_EQ(m[5], 34);
  EXPECT_DOUBLE_EQ(m[0], 4);
  EXPECT_DOUBLE_EQ(m[4], 2);
  EXPECT_DOUBLE_EQ(m[1], 0);
  EXPECT_DOUBLE_EQ(m[3], 0);
}

TEST(Crop, PixelCentresAreSampledInTheMiddleOfTheirShareOfTheRegion) {
  const media::Affine m = SamplingMatrix({100, 50, 64, 32, 0}, 16, 16, Sampling::kPixelCentres);
  // A share is 4 x 2 pixels: its middle is 2 x 1 from the corner, and indices count from centres.
  EXPECT_DOUBLE_EQ(m[2], 68 + 2 - 0.5);
  EXPECT_DOUBLE_EQ(m[5], 34 + 1 - 0.5);
  EXPECT_DOUBLE_EQ(m[0], 4);
  EXPECT_DOUBLE_EQ(m[4], 2);
}

TEST(Crop, SampledAtPixelCentresAWholePictureOfTheTensorsSizeIsCopied) {
  const std::vector<std::uint8_t> bytes = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
  const ImageView image{bytes.data(), 2, 2, 6};
  std::vector<float> values(bytes.size());
  SampleRegion(image, WholeImage({2, 2}), Sampling::kPixelCentres, media::Border::kZero,
               {values, 2, 2, 0, 255});
  EXPECT_EQ(values, std::vector<float>(bytes.begin(), bytes.end()));
}

TEST(Crop, OnlyPixelCentresHalveAPictureWithoutMovingIt) {
  const std::vector<std::uint8_t> bytes = {0, 0, 0, 100, 100, 100, 100, 100, 100, 0, 0, 0};
  const ImageView image{bytes.data(), 4, 1, 12};  // symmetric
  const auto sample = [&](Sampling sampling) {
    std::vector<float> values(6);
    SampleRegion(image, WholeImage({4, 1}), sampling, media::Border::kReplicate,
                 {values, 2, 1, 0, 255});
    return std::array{values[0], values[3]};
  };
  EXPECT_EQ(sample(Sampling::kPixelCentres), (std::array{50.0f, 50.0f}));
  EXPECT_EQ(sample(Sampling::kOpenCv), (std::array{0.0f, 100.0f}));
}

TEST(Crop, AQuarterTurnClockwiseStartsAtTheUpperRight) {
  const media::Affine m = SamplingMatrix({100, 50, 64, 32, kPi / 2}, 16, 16, Sampling::kOpenCv);
  EXPECT_NEAR(m[2], 116, 1e-4);
  EXPECT_NEAR(m[5], 18, 1e-4);
  EXPECT_NEAR(m[3], 4, 1e-6);   // along the tensor's row the picture goes down
  EXPECT_NEAR(m[1], -2, 1e-6);  // down the tensor it goes left
}

TEST(Crop, RegionToImageAgreesWithTheSamplingMatrix) {
  const PixelRegion region{400, 300, 200, 100, 0.7f};
  const media::Affine pixels = SamplingMatrix(region, 1, 1, Sampling::kOpenCv);
  const Matrix2x3 fractions = RegionToImage(region, kImage);
  for (const Point p : {Point{0, 0}, Point{1, 0}, Point{0.25f, 0.75f}}) {
    const double x = static_cast<double>(p.x), y = static_cast<double>(p.y);
    const Point q = Apply(fractions, p);
    EXPECT_NEAR(static_cast<double>(q.x) * 1280, pixels[0] * x + pixels[1] * y + pixels[2], 1e-3);
    EXPECT_NEAR(static_cast<double>(q.y) * 720, pixels[3] * x + pixels[4] * y + pixels[5], 1e-3);
  }
}

TEST(Crop, ImageToRegionUndoesRegionToImage) {
  const PixelRegion region{400, 300, 200, 200, -2.1f};
  const Point there = Apply(RegionToImage(region, kImage), {0.3f, 0.9f});
  const Point back = Apply(ImageToRegion(region, kImage), there);
  EXPECT_NEAR(back.x, 0.3f, 1e-5);
  EXPECT_NEAR(back.y, 0.9f, 1e-5);
}

}  // namespace
}  // namespace holostat::vision
