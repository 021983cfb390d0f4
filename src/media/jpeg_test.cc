// Every variant of JPEG, and files made to harm.
#include <gtest/gtest.h>

#include <algorithm>

#include "holostat/picture.h"
#include "media/test_pictures.h"

namespace holostat::media {
namespace {

using test::Bytes;
using test::JpegColor;
using test::JpegScans;

// Of quality 97 on a smooth picture.
constexpr int kTolerance = 4;
// CMYK files quantise ink and black, whose errors multiply.
constexpr int kCmykTolerance = 8;

const Image& Picture() {
  static const Image picture = test::SmoothPicture(53, 35);
  return picture;
}

void ExpectNear(const Bytes& file, const Image& expected, int tolerance) {
  const auto image = DecodePicture(file);
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->width(), expected.width());
  ASSERT_EQ(image->height(), expected.height());
  EXPECT_LE(test::LargestDifference(*image, expected), tolerance);
}

ErrorCode CodeOf(const Bytes& file, const PictureLimits& limits = {}) {
  const auto image = DecodePicture(file, limits);
  return image ? ErrorCode::kInternal : image.error().code;
}

TEST(DecodeJpeg, BringsEveryColorSpaceToRgb) {
  ExpectNear(test::MakeJpeg(Picture(), JpegColor::kYcc), Picture(), kTolerance);
  ExpectNear(test::MakeJpeg(Picture(), JpegColor::kRgb), Picture(), kTolerance);
  ExpectNear(test::MakeJpeg(Picture(), JpegColor::kCmykAdobe), Picture(), kCmykTolerance);
  ExpectNear(test::MakeJpeg(Picture(), JpegColor::kCmykPlain), Picture(), kCmykTolerance);
  ExpectNear(test::MakeJpeg(Picture(), JpegColor::kYcckAdobe), Picture(), kCmykTolerance);
  const Image grey = test::GreyPicture(53, 35);
  ExpectNear(test::MakeJpeg(grey, JpegColor::kGrey), grey, kTolerance);
}

TEST(DecodeJpeg, ReadsEveryOrderOfScans) {
  for (const JpegScans scans : {JpegScans::kComponentByComponent, JpegScans::kProgressive,
                                JpegScans::kArithmetic, JpegScans::kArithmeticProgressive})
    ExpectNear(test::MakeJpeg(Picture(), JpegColor::kYcc, scans), Picture(), kTolerance);
  ExpectNear(test::MakeJpeg(Picture(), JpegColor::kYcckAdobe, JpegScans::kProgressive), Picture(),
             kCmykTolerance);
}

TEST(DecodeJpeg, AppliesEachExifOrientation) {
  const Bytes stored = test::MakeJpeg(Picture());
  const auto upright = DecodePicture(stored);
  for (int value = 1; value <= 8; ++value) {
    for (const bool little_endian : {true, false}) {
      Bytes app1 = test::BytesOf(std::string_view("Exif\0\0", 6));
      test::Append(app1, test::ExifBlock(value, little_endian));
      const auto turned = DecodePicture(test::WithApp1(stored, app1));
      ASSERT_TRUE(turned) << turned.error().message;
      ASSERT_EQ(turned->width(), value < 5 ? 53 : 35);
      // Where the pixel stored at the top left is to be seen.
      const int x = value == 2 || value == 3 || value == 6 || value == 7 ? turned->width() - 1 : 0;
      const int y = value == 3 || value == 4 || value == 7 || value == 8 ? turned->height() - 1 : 0;
      EXPECT_TRUE(std::equal(upright->row(0), upright->row(0) + 3, turned->row(y) + x * 3))
          << value;
    }
  }
}

TEST(DecodeJpeg, LooksForExifBehindOtherSegments) {
  Bytes exif = test::BytesOf(std::string_view("Exif\0\0", 6));
  test::Append(exif, test::ExifBlock(6, true));
  Bytes file = test::WithApp1(test::MakeJpeg(Picture()), exif);
  file = test::WithApp1(file, test::BytesOf("http://ns.adobe.com/xap/1.0/"));
  file.insert(file.begin() + 2, {0xFF, 0xFF, 0xFF});  // fill bytes before a marker
  const auto image = DecodePicture(file);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->width(), 35);
}

TEST(DecodeJpeg, IgnoresBytesBehindItsEnd) {
  Bytes file = test::MakeJpeg(Picture());
  test::Append(file, Bytes(1000, 0x55));
  ExpectNear(file, Picture(), kTolerance);
}

TEST(DecodeJpeg, MustReachItsEndMarker) {
  for (const JpegScans scans :
       {JpegScans::kSequential, JpegScans::kProgressive, JpegScans::kArithmetic}) {
    Bytes file = test::MakeJpeg(Picture(), JpegColor::kYcc, scans);
    file.resize(file.size() - 2);
    EXPECT_EQ(CodeOf(file), ErrorCode::kCorruptData);
    test::Append(file, {0xFF, 0xFE, 0, 4, 'h', 'i'});  // a comment, and then nothing
    EXPECT_EQ(CodeOf(file), ErrorCode::kCorruptData);
  }
}

TEST(DecodeJpeg, AnEndMarkerDoesNotHideMissingPixels) {
  Bytes file = test::MakeJpeg(Picture());
  file.resize(file.size() * 3 / 4);
  test::Append(file, {0xFF, 0xD9});
  EXPECT_EQ(CodeOf(file), ErrorCode::kCorruptData);
}

TEST(DecodeJpeg, RefusesVariantsThatLibjpegDoesNotKnow) {
  Bytes file = test::MakeJpeg(Picture());
  const std::size_t frame = test::FindMarker(file, 0xC0);
  Bytes twelve_bit = file;
  twelve_bit[frame + 4] = 12;
  EXPECT_EQ(CodeOf(twelve_bit), ErrorCode::kUnsupported);
  Bytes lossless = file;
  lossless[frame + 1] = 0xC3;
  EXPECT_EQ(CodeOf(lossless), ErrorCode::kUnsupported);
}

TEST(DecodeJpeg, AllowsAsManyScansAsEncodersWriteAndNoMore) {
  const Image grey = test::GreyPicture(53, 35);
  ExpectNear(test::MakeJpeg(grey, JpegColor::kGrey, JpegScans::kOneCoefficientAScan), grey,
             kTolerance);                                                             // 64
  EXPECT_EQ(CodeOf(test::MakeJpeg(grey, JpegColor::kGrey, JpegScans::kOneBitAScan)),  // 127
            ErrorCode::kLimitExceeded);
}

TEST(DecodeJpeg, RefusesAScanRepeatedThousandsOfTimes) {
  const Bytes file = test::MakeJpeg(Picture(), JpegColor::kYcc, JpegScans::kComponentByComponent);
  const std::size_t first = test::FindMarker(file, 0xDA);
  const std::size_t second = test::FindMarker(file, 0xDA, first + 2);
  const Bytes scan(file.begin() + static_cast<std::ptrdiff_t>(first),
                   file.begin() + static_cast<std::ptrdiff_t>(second));
  Bytes bomb(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(second));
  for (int k = 0; k < 5000; ++k) test::Append(bomb, scan);
  bomb.insert(bomb.end(), file.begin() + static_cast<std::ptrdiff_t>(second), file.end());
  EXPECT_EQ(CodeOf(bomb), ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace holostat::media
