// Every variant of WebP: simple, extended and animated files.
#include <gtest/gtest.h>

#include <algorithm>

#include "holostat/picture.h"
#include "media/test_pictures.h"

namespace holostat::media {
namespace {

using test::Bytes;

constexpr std::uint8_t kAnimation = 0x02, kExif = 0x08, kAlpha = 0x10;
constexpr int kLossyTolerance = 16;  // chroma at half resolution

const Image& Picture() {
  static const Image picture = test::SmoothPicture(40, 26);
  return picture;
}

void ExpectNear(const Bytes& file, const Image& expected, int tolerance) {
  const auto image = DecodePicture(file);
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->width(), expected.width());
  ASSERT_EQ(image->height(), expected.height());
  EXPECT_LE(test::LargestDifference(*image, expected), tolerance);
}

ErrorCode CodeOf(const Bytes& file) {
  const auto image = DecodePicture(file);
  return image ? ErrorCode::kInternal : image.error().code;
}

// Chunks of an animation on a canvas of 60 x 50: two frames of 40 x 26, the first at (left, top).
Bytes Animation(int left, int top) {
  const Bytes frame = test::ChunksOf(test::MakeLosslessWebp(Picture()));
  const Bytes other = test::ChunksOf(test::MakeLosslessWebp(test::GreyPicture(40, 26)));
  Bytes chunks = test::Vp8xChunk(kAnimation, 60, 50);
  test::Append(chunks, test::RiffChunk("ANIM", {0x10, 0x20, 0x30, 0xFF, 0, 0}));
  test::Append(chunks, test::AnmfChunk(left, top, 40, 26, frame));
  test::Append(chunks, test::AnmfChunk(0, 0, 40, 26, other));
  return test::RiffFile(chunks);
}

TEST(DecodeWebp, KeepsLosslessAndStaysNearLossy) {
  ExpectNear(test::MakeLosslessWebp(Picture()), Picture(), 0);
  ExpectNear(test::MakeLossyWebp(Picture()), Picture(), kLossyTolerance);
}

TEST(DecodeWebp, DropsAlphaWithoutCompositing) {
  ExpectNear(test::MakeAlphaWebp(Picture(), true), Picture(), 0);
  ExpectNear(test::MakeAlphaWebp(Picture(), false), Picture(), kLossyTolerance);
}

TEST(DecodeWebp, AppliesTheOrientationOfItsExifChunk) {
  for (const bool with_prefix : {false, true}) {
    Bytes exif = with_prefix ? test::BytesOf(std::string_view("Exif\0\0", 6)) : Bytes{};
    test::Append(exif, test::ExifBlock(8, true));
    Bytes chunks = test::Vp8xChunk(kExif, 40, 26);
    test::Append(chunks, test::ChunksOf(test::MakeLosslessWebp(Picture())));
    test::Append(chunks, test::RiffChunk("EXIF", exif));
    const auto image = DecodePicture(test::RiffFile(chunks));
    ASSERT_TRUE(image) << image.error().message;
    ASSERT_EQ(image->width(), 26);
    ASSERT_EQ(image->height(), 40);
    EXPECT_TRUE(std::equal(Picture().row(0), Picture().row(0) + 3, image->row(39)));
  }
}

TEST(DecodeWebp, PutsTheFirstFrameOnABlackCanvas) {
  Image expected(60, 50);
  for (int y = 0; y < 26; ++y)
    std::copy(Picture().row(y), Picture().row(y) + 40 * 3, expected.row(y + 14) + 8 * 3);
  ExpectNear(Animation(8, 14), expected, 0);
}

TEST(DecodeWebp, RefusesAFrameThatLeavesTheCanvas) {
  EXPECT_EQ(CodeOf(Animation(22, 0)), ErrorCode::kCorruptData);
  EXPECT_EQ(CodeOf(Animation(0, 26)), ErrorCode::kCorruptData);
}

TEST(DecodeWebp, RefusesAnAnimationWithoutFrames) {
  Bytes chunks = test::Vp8xChunk(kAnimation, 60, 50);
  test::Append(chunks, test::RiffChunk("ANIM", Bytes(6)));
  EXPECT_EQ(CodeOf(test::RiffFile(chunks)), ErrorCode::kCorruptData);
}

TEST(DecodeWebp, RefusesAPictureOfAnotherSizeThanItsHeaderSays) {
  Bytes chunks = test::Vp8xChunk(kAlpha, 4000, 4000);
  test::Append(chunks, test::ChunksOf(test::MakeLosslessWebp(Picture())));
  EXPECT_EQ(CodeOf(test::RiffFile(chunks)), ErrorCode::kCorruptData);
}

TEST(DecodeWebp, IgnoresBytesBehindItsEnd) {
  Bytes simple = test::MakeLosslessWebp(Picture());
  test::Append(simple, Bytes(1000, 0x55));
  ExpectNear(simple, Picture(), 0);
  Bytes extended = test::MakeAlphaWebp(Picture(), false);
  test::Append(extended, Bytes(1000, 0x55));
  ExpectNear(extended, Picture(), kLossyTolerance);
}

}  // namespace
}  // namespace holostat::media
