// The tint against RenderMask: both say where the person is, so both must say the same.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "render/canvas.h"

namespace holostat::render {
namespace {

using Matrix = std::array<float, 6>;

constexpr std::size_t kValues = std::size_t{kMaskSize} * kMaskSize;
constexpr Matrix kWhole = {1, 0, 0, 0, 1, 0};

std::vector<int> Tint(const SegmentationMask& mask, int width, int height) {
  Image image(width, height);
  Canvas(image).Tint(mask, {255, 0, 0});
  std::vector<int> reds;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) reds.push_back(image.row(y)[std::ptrdiff_t{3} * x]);
  return reds;
}

// The tint of each probability, taken from the middle of masks that have it everywhere.
std::array<int, 256> TintOfProbability() {
  std::array<int, 256> tints{};
  for (int i = 0; i < 256; ++i) {
    const std::vector<float> values(kValues, static_cast<float>(i) / 255);
    tints[static_cast<std::size_t>(i)] = Tint({values, kWhole}, 1, 1)[0];
  }
  return tints;
}

std::vector<int> TintByRenderMask(const SegmentationMask& mask, int width, int height) {
  static const std::array<int, 256> kTints = TintOfProbability();
  std::vector<std::uint8_t> probabilities(static_cast<std::size_t>(width) *
                                          static_cast<std::size_t>(height));
  RenderMask(mask, probabilities.data(), width, height, width);
  std::vector<int> reds;
  reds.reserve(probabilities.size());
  for (const std::uint8_t p : probabilities) reds.push_back(kTints[p]);
  return reds;
}

std::vector<float> Noise(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-0.2f, 1.2f);
  std::vector<float> values(kValues);
  for (float& v : values) v = value(random);
  return values;
}

TEST(CanvasMask, TintsEveryPixelByItsRenderedProbability) {
  const std::vector<float> values = Noise(1);
  for (const Matrix& m : {kWhole, Matrix{2, 0, -0.5f, 0, 2, -0.5f},  // the region is the middle
                          Matrix{0.4f, 0, 0.3f, 0, 0.4f, 0.3f},      // the picture is
                          Matrix{1.1f, -0.7f, 0.2f, 0.8f, 1.2f, -0.4f},
                          Matrix{-1.5f, 0.1f, 1.2f, -0.2f, -1.4f, 1.3f}})
    for (const auto& [width, height] : {std::pair{256, 256}, {301, 177}, {40, 900}})
      EXPECT_EQ(Tint({values, m}, width, height), TintByRenderMask({values, m}, width, height))
          << width << "x" << height << " " << testing::PrintToString(m);
}

TEST(CanvasMask, FadesAlikeAtAllFourEdges) {
  const std::vector<float> values(kValues, 1);
  // One pixel of the mask is ten of the picture, and the region ends inside of it.
  const int side = 3000;
  const float scale = side / 10.0f / kMaskSize, shift = (1 - scale) / 2;
  const SegmentationMask mask{values, {scale, 0, shift, 0, scale, shift}};
  const std::vector<int> reds = Tint(mask, side, side);
  EXPECT_EQ(reds, TintByRenderMask(mask, side, side));
  const auto at = [&](int x, int y) {
    return reds[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)];
  };
  int fading = 0;
  for (int k = 0; k < side; ++k) {
    const int left = at(k, side / 2);
    ASSERT_NEAR(at(side - 1 - k, side / 2), left, 1) << k;
    ASSERT_NEAR(at(side / 2, k), left, 1) << k;
    ASSERT_NEAR(at(side / 2, side - 1 - k), left, 1) << k;
    fading += left > 0 && left != at(side / 2, side / 2);
  }
  EXPECT_GT(fading, 6);
}

TEST(CanvasMask, NonsenseTintsNothing) {
  const std::vector<float> values(kValues, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<int> nothing(16, 0);
  EXPECT_EQ(Tint({values, {nan, 0, 0, 0, 1, 0}}, 4, 4), nothing);
  EXPECT_EQ(Tint({values, {infinity, 0, -infinity, 0, 1, 0}}, 4, 4), nothing);
  EXPECT_EQ(Tint({values, {1e30f, 0, 1e30f, 0, 1, 0}}, 4, 4), nothing);
  EXPECT_EQ(Tint({std::span(values).first(10), kWhole}, 4, 4), nothing);
  const std::vector<float> undefined(kValues, nan);
  EXPECT_EQ(Tint({undefined, kWhole}, 4, 4), nothing);
}

}  // namespace
}  // namespace holostat::render
