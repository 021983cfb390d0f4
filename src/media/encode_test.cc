#include "media/encode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "holostat/picture.h"

namespace holostat::media {
namespace {

// Smooth, so that JPEG keeps it; asymmetric; with `padding` bytes after each row.
std::vector<std::uint8_t> Waves(int width, int height, int channels, int padding) {
  const int stride = width * channels + padding;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(stride * height), 0xEE);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        bytes[static_cast<std::size_t>(y * stride + x * channels + c)] =
            static_cast<std::uint8_t>(128 + 100 * std::sin(x * 0.05 + y * 0.08 + c));
  return bytes;
}

int LargestDifference(const ImageView& a, const ImageView& b) {
  int largest = 0;
  for (int y = 0; y < a.height; ++y)
    for (int k = 0; k < a.width * 3; ++k)
      largest = std::max(largest, std::abs(a.row(y)[k] - b.row(y)[k]));
  return largest;
}

TEST(EncodePng, KeepsEveryPixelOfAnRgbPicture) {
  const auto pixels = Waves(70, 41, 3, 9);
  const ImageView view{pixels.data(), 70, 41, 70 * 3 + 9};
  const auto file = EncodePng(view);
  ASSERT_TRUE(file) << file.error().message;
  const auto decoded = DecodePicture(*file);
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->width(), 70);
  ASSERT_EQ(decoded->height(), 41);
  EXPECT_EQ(LargestDifference(decoded->view(), view), 0);
}

TEST(EncodePng, KeepsEveryPixelOfAGreyPicture) {
  const auto pixels = Waves(33, 20, 1, 3);
  const auto file = EncodePng(GreyView{pixels.data(), 33, 20, 36});
  ASSERT_TRUE(file) << file.error().message;
  const auto decoded = DecodePicture(*file);
  ASSERT_TRUE(decoded) << decoded.error().message;
  for (int y = 0; y < 20; ++y)
    for (int k = 0; k < 33 * 3; ++k)
      ASSERT_EQ(decoded->row(y)[k], pixels[static_cast<std::size_t>(y * 36 + k / 3)]);
}

TEST(EncodeJpeg, StaysNearThePictureAndNearerWithMoreQuality) {
  const auto pixels = Waves(90, 61, 3, 2);
  const ImageView view{pixels.data(), 90, 61, 90 * 3 + 2};
  const auto difference = [&](int quality) {
    const auto file = EncodeJpeg(view, quality);
    const auto decoded = DecodePicture(*file);
    EXPECT_EQ(decoded->width(), 90);
    EXPECT_EQ(decoded->height(), 61);
    return LargestDifference(decoded->view(), view);
  };
  EXPECT_LE(difference(95), 4);
  EXPECT_LE(difference(80), 20);
  EXPECT_GT(difference(5), difference(95));
}

TEST(EncodeJpeg, SubsamplesChromaOnlyBelowQuality90) {
  const auto pixels = Waves(16, 16, 3, 0);
  const auto sampling_of_luma = [&](int quality) {
    const auto file = EncodeJpeg({pixels.data(), 16, 16, 48}, quality);
    const std::uint8_t start_of_frame[] = {0xFF, 0xC0};
    const auto at = std::search(file->begin(), file->end(), start_of_frame, start_of_frame + 2);
    return int{at[11]};  // marker 2, length 2, precision 1, size 4, count 1, id 1
  };
  EXPECT_EQ(sampling_of_luma(89), 0x22);
  EXPECT_EQ(sampling_of_luma(90), 0x11);
}

TEST(Encode, AnEmptyPictureIsInvalid) {
  const std::uint8_t byte[3] = {};
  EXPECT_EQ(EncodePng(ImageView{}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(EncodePng(ImageView{byte, 1, 0, 3}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(EncodePng(GreyView{byte, 0, 1, 1}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(EncodeJpeg(ImageView{nullptr, 1, 1, 3}, 90).error().code, ErrorCode::kInvalidArgument);
}

TEST(EncodeJpeg, RefusesQualityOutsideItsRange) {
  const std::uint8_t pixel[3] = {1, 2, 3};
  for (const int quality : {0, 101, -5})
    EXPECT_EQ(EncodeJpeg({pixel, 1, 1, 3}, quality).error().code, ErrorCode::kInvalidArgument);
}

TEST(EncodeJpeg, RefusesASideTheFormatCannotHold) {
  const std::vector<std::uint8_t> row(70'000 * 3);
  EXPECT_EQ(EncodeJpeg({row.data(), 70'000, 1, 210'000}, 90).error().code,
            ErrorCode::kLimitExceeded);
  EXPECT_TRUE(EncodePng(ImageView{row.data(), 70'000, 1, 210'000}));
}

}  // namespace
}  // namespace holostat::media
