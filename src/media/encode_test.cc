#include "media/encode.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
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

Result<Image> Decode(const Result<std::string>& file) {
  if (!file) return tl::unexpected(file.error());
  return DecodePicture(std::vector<std::uint8_t>(file->begin(), file->end()));
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
  const auto decoded = Decode(file);
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->width(), 70);
  ASSERT_EQ(decoded->height(), 41);
  EXPECT_EQ(LargestDifference(decoded->view(), view), 0);
}

TEST(EncodePng, KeepsEveryPixelOfAGreyPicture) {
  const auto pixels = Waves(33, 20, 1, 3);
  const auto file = EncodePng(GreyView{pixels.data(), 33, 20, 36});
  ASSERT_TRUE(file) << file.error().message;
  const auto decoded = Decode(file);
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
    const auto decoded = Decode(file);
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
    const std::size_t at = file->find("\xFF\xC0");
    return int{file->at(at + 11)};  // marker 2, length 2, precision 1, size 4, count 1, id 1
  };
  EXPECT_EQ(sampling_of_luma(89), 0x22);
  EXPECT_EQ(sampling_of_luma(90), 0x11);
}

TEST(Encode, ACommentIsKeptInTheFileAndThePictureIsTheSame) {
  const auto pixels = Waves(64, 40, 3, 0);
  const ImageView image{pixels.data(), 64, 40, 64 * 3};
  const std::string jpeg = *EncodeJpeg(image, 90, "altered"), png = *EncodePng(image, "altered");
  EXPECT_NE(jpeg.find(std::string("\xff\xfe\x00\x09", 4) + "altered"), std::string::npos);  // COM
  EXPECT_NE(png.find(std::string("tEXtComment\0altered", 19)), std::string::npos);
  EXPECT_EQ(LargestDifference(Decode(jpeg)->view(), Decode(EncodeJpeg(image, 90))->view()), 0);
  EXPECT_EQ(LargestDifference(Decode(png)->view(), image), 0);
  EXPECT_EQ(EncodeJpeg(image, 90)->find("altered"), std::string::npos);
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

struct Noise {
  static constexpr int kSide = 1500;
  std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(std::size_t{kSide} * kSide * 3);
  Noise() {
    std::mt19937 random(40);
    for (auto& byte : pixels) byte = static_cast<std::uint8_t>(random());
  }
  ImageView view() const { return {pixels.data(), kSide, kSide, kSide * 3}; }
};

TEST(EncodeJpeg, GrowsWithAPictureThatDoesNotCompress) {
  const Noise noise;
  const auto file = EncodeJpeg(noise.view(), 100);
  const auto decoded = Decode(file);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_GT(file->size(), 4u << 20);
  EXPECT_EQ(file->substr(file->size() - 2), "\xFF\xD9");
  EXPECT_LE(LargestDifference(decoded->view(), noise.view()), 12);
}

// Exits with 0 when `encode` does so for want of memory at every limit, in the beginning and later.
template <class Encode>
[[noreturn]] void EncodeWithoutMemory(Encode encode) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t now = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  for (const rlim_t more : {0u, 100u << 10, 1u << 20, 2u << 20, 3u << 20, 4u << 20}) {
    const rlimit limit{now + more, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
    const Result<std::string> file = encode();
    if (file || file.error().code != ErrorCode::kOverloaded) std::_Exit(1);
  }
  std::_Exit(0);
}

TEST(Encode, SaysSoWhenThereIsNoMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more address space than this test leaves";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // starts with a fresh heap
  const Noise noise;
  EXPECT_EXIT(EncodeWithoutMemory([&] { return EncodePng(noise.view()); }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(EncodeWithoutMemory([&] { return EncodeJpeg(noise.view(), 100); }),
              testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace holostat::media
