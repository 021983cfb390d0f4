#include "media/warp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::media {
namespace {

std::vector<float> Warp(const ImageView& source, const Affine& m, Border border, int width,
                        int height, float low, float high) {
  std::vector<float> values(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  WarpToTensor(source, m, border, {values, width, height, low, high});
  return values;
}

struct NoisePicture {
  NoisePicture(std::mt19937& random, int width, int height, int padding)
      : bytes(static_cast<std::size_t>((width * 3 + padding) * height - padding)),
        view{bytes.data(), width, height, width * 3 + padding} {
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  }
  std::vector<std::uint8_t> bytes;
  ImageView view;
};

// The mean of the pixels, each weighted by how far it is from the position, in double.
double Expected(const ImageView& source, double x, double y, int channel) {
  double sum = 0;
  for (int dy = 0; dy < 2; ++dy) {
    for (int dx = 0; dx < 2; ++dx) {
      const double tap_x = std::floor(x) + dx;
      const double tap_y = std::floor(y) + dy;
      const double weight = (1 - std::abs(x - tap_x)) * (1 - std::abs(y - tap_y));
      const int column = static_cast<int>(std::min(std::max(tap_x, 0.0), source.width - 1.0));
      const int row = static_cast<int>(std::min(std::max(tap_y, 0.0), source.height - 1.0));
      sum += weight * source.row(row)[column * 3 + channel];
    }
  }
  return sum;
}

TEST(WarpToTensor, IsBilinearWhereverTheRegionLies) {
  std::mt19937 random(30);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int round = 0; round < 300; ++round) {
    const NoisePicture picture(random, 1 + round % 61, 1 + round % 47, round % 3);
    const double scale = std::exp(3 * unit(random));
    const Affine m = {scale * unit(random), scale * unit(random), 60 * unit(random),
                      scale * unit(random), scale * unit(random), 60 * unit(random)};
    const auto values = Warp(picture.view, m, Border::kReplicate, 40, 30, 0, 255);
    std::size_t at = 0;
    for (int j = 0; j < 30; ++j)
      for (int i = 0; i < 40; ++i)
        for (int c = 0; c < 3; ++c, ++at)
          ASSERT_NEAR(
              values[at],
              Expected(picture.view, m[0] * i + m[1] * j + m[2], m[3] * i + m[4] * j + m[5], c),
              2e-3)
              << "round " << round << " column " << i << " row " << j;
  }
}

TEST(WarpToTensor, KeepsWhatLiesBetweenTwoGreyLevels) {
  const std::uint8_t pixels[6] = {10, 20, 30, 11, 21, 31};
  const auto values =
      Warp({pixels, 2, 1, 6}, {0, 0, 0.25, 0, 0, 0}, Border::kReplicate, 1, 1, 0, 255);
  EXPECT_NEAR(values[0], 10.25, 1e-4);
  EXPECT_NEAR(values[2], 30.25, 1e-4);
}

TEST(WarpToTensor, TheZeroBorderBeginsHalfAPixelBeyondTheOuterCentres) {
  const std::uint8_t pixels[6] = {10, 20, 30, 40, 50, 60};  // left, right
  const ImageView source{pixels, 2, 1, 6};
  const auto at = [&](double x, double y) {
    return Warp(source, {0, 0, x, 0, 0, y}, Border::kZero, 1, 1, -1, 1)[0];
  };
  const float left = -1 + 10 * (2.0f / 255), right = -1 + 40 * (2.0f / 255);
  EXPECT_FLOAT_EQ(at(-0.49, 0), left);
  EXPECT_FLOAT_EQ(at(1.49, 0), right);
  EXPECT_FLOAT_EQ(at(0, 0.49), left);
  EXPECT_EQ(at(-0.51, 0), -1);
  EXPECT_EQ(at(1.51, 0), -1);
  EXPECT_EQ(at(0, -0.51), -1);
  EXPECT_EQ(at(0, 0.51), -1);
}

TEST(WarpToTensor, TakesAnyPosition) {
  const std::uint8_t pixels[6] = {10, 20, 30, 40, 50, 60};  // left, right
  const ImageView source{pixels, 2, 1, 6};
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<float> zeros(3, 0), left{10, 20, 30}, right{40, 50, 60};
  for (const double far : {1e6, 1e18, 1e300, infinity, nan}) {
    EXPECT_EQ(Warp(source, {0, 0, far, 0, 0, 0}, Border::kZero, 1, 1, 0, 255), zeros);
    EXPECT_EQ(Warp(source, {0, 0, -far, 0, 0, 0}, Border::kZero, 1, 1, 0, 255), zeros);
    EXPECT_EQ(Warp(source, {0, 0, far, 0, 0, far}, Border::kReplicate, 1, 1, 0, 255), right);
    if (far > 0) {
      EXPECT_EQ(Warp(source, {0, 0, -far, 0, 0, 0}, Border::kReplicate, 1, 1, 0, 255), left);
    }
  }
}

TEST(WarpToTensor, AnEmptySourceGivesZeros) {
  EXPECT_EQ(Warp({}, {1, 0, 0, 0, 1, 0}, Border::kReplicate, 2, 1, -1, 1),
            (std::vector<float>(6, -1)));
}

TEST(WarpToTensor, MakesNoHeapCall) {
  std::mt19937 random(31);
  const NoisePicture picture(random, 100, 80, 0);
  std::vector<float> values(192 * 192 * 3);
  const std::uint64_t before = HeapCalls();
  for (const Border border : {Border::kZero, Border::kReplicate})
    WarpToTensor(picture.view, {0.7, 0.3, -20, -0.3, 0.7, 10}, border, {values, 192, 192, 0, 1});
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::media
