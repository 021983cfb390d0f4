#include "media/opencv_warp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <random>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::media {
namespace {

struct NoisePicture {
  std::vector<std::uint8_t> bytes;
  ImageView view;
};

// Noise shows every wrong tap. `padding` bytes follow each row, filled with a telling value.
NoisePicture MakeNoise(std::mt19937& random, int width, int height, int padding) {
  NoisePicture picture;
  const std::ptrdiff_t stride = width * 3 + padding;
  picture.bytes.resize(static_cast<std::size_t>(stride * height - padding));
  for (auto& byte : picture.bytes) byte = static_cast<std::uint8_t>(random());
  picture.view = {picture.bytes.data(), width, height, stride};
  return picture;
}

std::vector<float> Warp(const ImageView& source, const Affine& m, Border border, int width,
                        int height, float low, float high) {
  std::vector<float> values(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  OpenCvWarpToTensor(source, m, border, {values, width, height, low, high});
  return values;
}

std::vector<float> WarpByOpenCv(const ImageView& source, const Affine& m, Border border, int width,
                                int height, float low, float high) {
  const cv::Mat picture(source.height, source.width, CV_8UC3,
                        const_cast<std::uint8_t*>(source.data),
                        static_cast<std::size_t>(source.stride_bytes));
  const cv::Mat map = (cv::Mat_<double>(3, 3) << m[0], m[1], m[2], m[3], m[4], m[5], 0, 0, 1);
  cv::Mat warped;
  cv::warpPerspective(picture, warped, map, {width, height},
                      cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                      border == Border::kZero ? cv::BORDER_CONSTANT : cv::BORDER_REPLICATE);
  std::vector<float> values(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  std::size_t at = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width * 3; ++x)
      values[at++] = static_cast<float>(warped.ptr(y)[x]) * ((high - low) / 255) + low;
  return values;
}

// The region of a rotated rectangle, as the pipeline makes them.
Affine MapOfRegion(double cx, double cy, double w, double h, double angle, int width, int height) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * w / width, -s * h / height, cx - w / 2 * c + h / 2 * s,
          s * w / width, c * h / height,  cy - w / 2 * s - h / 2 * c};
}

double Uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

int Whole(std::mt19937& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

TEST(OpenCvWarpToTensor, EqualsOpenCvBitForBitWhereverTheRegionLies) {
  std::mt19937 random(20);
  for (int round = 0; round < 600; ++round) {
    const NoisePicture picture = MakeNoise(random, Whole(random, 1, 160), Whole(random, 1, 120),
                                           Whole(random, 0, 1) * Whole(random, 1, 40));
    const int width = Whole(random, 1, round % 10 == 0 ? 300 : 90);
    const int height = Whole(random, 1, 70);
    const double size = std::exp(Uniform(random, std::log(0.5), std::log(2000.0)));
    const Affine m =
        MapOfRegion(Uniform(random, -100, 260), Uniform(random, -100, 220), size,
                    size * Uniform(random, 0.3, 3), Uniform(random, -4, 4), width, height);
    for (const Border border : {Border::kZero, Border::kReplicate}) {
      ASSERT_EQ(Warp(picture.view, m, border, width, height, -1, 1),
                WarpByOpenCv(picture.view, m, border, width, height, -1, 1))
          << "round " << round;
    }
  }
}

TEST(OpenCvWarpToTensor, EqualsOpenCvAtTheInputSizesOfTheModels) {
  std::mt19937 random(21);
  const NoisePicture picture = MakeNoise(random, 1280, 960, 7);
  for (const int size : {128, 192, 224, 256}) {
    for (int round = 0; round < 12; ++round) {
      const double region = Uniform(random, 20, 2500);
      const Affine m = MapOfRegion(Uniform(random, 0, 1280), Uniform(random, 0, 960), region,
                                   region, Uniform(random, -4, 4), size, size);
      for (const Border border : {Border::kZero, Border::kReplicate})
        ASSERT_EQ(Warp(picture.view, m, border, size, size, 0, 1),
                  WarpByOpenCv(picture.view, m, border, size, size, 0, 1));
    }
  }
}

TEST(OpenCvWarpToTensor, EqualsOpenCvOnPositionsHalfwayBetweenSteps) {
  std::mt19937 random(22);
  const NoisePicture picture = MakeNoise(random, 64, 64, 0);
  for (const double step : {1.0 / 64, 1.0 / 32, 3.0 / 64, 0.5, 1.0, -1.0, 2.0}) {
    const Affine m = {step, 0, 1.0 / 64, 0, step, 31.0 / 64};
    for (const Border border : {Border::kZero, Border::kReplicate})
      ASSERT_EQ(Warp(picture.view, m, border, 80, 80, 0, 255),
                WarpByOpenCv(picture.view, m, border, 80, 80, 0, 255));
  }
}

TEST(OpenCvWarpToTensor, CopiesThePictureUnderTheIdentity) {
  std::mt19937 random(23);
  const NoisePicture picture = MakeNoise(random, 31, 17, 5);
  const auto values = Warp(picture.view, {1, 0, 0, 0, 1, 0}, Border::kZero, 31, 17, 0, 255);
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 31 * 3; ++x)
      ASSERT_EQ(values[static_cast<std::size_t>(y * 31 * 3 + x)],
                static_cast<float>(picture.view.row(y)[x]));
}

TEST(OpenCvWarpToTensor, MapsTheByteRangeToTheModelsRange) {
  const std::uint8_t pixel[3] = {0, 255, 51};
  const auto values = Warp({pixel, 1, 1, 3}, {0, 0, 0, 0, 0, 0}, Border::kReplicate, 1, 1, -1, 1);
  EXPECT_FLOAT_EQ(values[0], -1);
  EXPECT_FLOAT_EQ(values[1], 1);
  EXPECT_FLOAT_EQ(values[2], -0.6f);
}

TEST(OpenCvWarpToTensor, HugePositionsAreFarOutside) {
  const std::uint8_t pixels[6] = {10, 20, 30, 40, 50, 60};  // left, right
  const ImageView source{pixels, 2, 1, 6};
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double huge : {1e6, 1e9, 1e18, 1e300, infinity}) {
    for (const double sign : {-1.0, 1.0}) {
      const Affine m = {0, 0, sign * huge, 0, 0, 0};
      EXPECT_EQ(Warp(source, m, Border::kZero, 1, 1, 0, 255), (std::vector<float>{0, 0, 0}));
      EXPECT_EQ(Warp(source, m, Border::kReplicate, 1, 1, 0, 255),
                sign < 0 ? (std::vector<float>{10, 20, 30}) : (std::vector<float>{40, 50, 60}));
    }
  }
}

TEST(OpenCvWarpToTensor, NanIsFarToTheRightOrBelow) {
  const std::uint8_t pixels[6] = {10, 20, 30, 40, 50, 60};  // upper, lower
  const ImageView source{pixels, 1, 2, 3};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Affine& m : {Affine{nan, nan, nan, nan, nan, nan}, Affine{0, 0, 0, 0, 0, nan}}) {
    EXPECT_EQ(Warp(source, m, Border::kZero, 2, 1, 0, 255), (std::vector<float>(6, 0)));
    EXPECT_EQ(Warp(source, m, Border::kReplicate, 1, 1, 0, 255), (std::vector<float>{40, 50, 60}));
  }
  // A NaN produced on the way: infinity times column 0.
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Warp(source, {infinity, 0, 0, 0, 1, 0}, Border::kZero, 2, 1, 0, 255),
            (std::vector<float>(6, 0)));
}

TEST(OpenCvWarpToTensor, AnEmptySourceGivesZeros) {
  EXPECT_EQ(Warp({}, {1, 0, 0, 0, 1, 0}, Border::kReplicate, 2, 1, -1, 1),
            (std::vector<float>(6, -1)));
}

TEST(OpenCvWarpToTensor, MakesNoHeapCall) {
  std::mt19937 random(24);
  const NoisePicture picture = MakeNoise(random, 100, 80, 0);
  std::vector<float> values(192 * 192 * 3);
  const std::uint64_t before = HeapCalls();
  for (const Border border : {Border::kZero, Border::kReplicate})
    OpenCvWarpToTensor(picture.view, {0.7, 0.3, -20, -0.3, 0.7, 10}, border,
                       {values, 192, 192, 0, 1});
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::media
