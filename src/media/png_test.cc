// Every variant of PNG, and files made to harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/process_memory.h"
#include "holostat/picture.h"
#include "media/test_pictures.h"

namespace holostat::media {
namespace {

using test::Bytes;
using test::PngSpec;

constexpr int kWidth = 37;
constexpr int kHeight = 21;
constexpr int kGrey = 0, kRgb = 2, kPalette = 3, kGreyAlpha = 4, kRgba = 6;

void ExpectPixels(const Bytes& file, const Image& expected, int tolerance = 0) {
  const auto image = DecodePicture(file);
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->width(), expected.width());
  ASSERT_EQ(image->height(), expected.height());
  EXPECT_LE(test::LargestDifference(*image, expected), tolerance);
}

PngSpec Spec(int bit_depth, int color_type, int channels) {
  return {.width = kWidth,
          .height = kHeight,
          .bit_depth = bit_depth,
          .color_type = color_type,
          .channels = channels};
}

Bytes PaletteChunk() {
  Bytes colors;
  for (const auto& color : test::Palette16())
    colors.insert(colors.end(), color.begin(), color.end());
  return test::PngChunk("PLTE", colors);
}

TEST(DecodePng, KeepsRgbWithAndWithoutInterlacing) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  for (const bool interlaced : {false, true}) {
    PngSpec spec = Spec(8, kRgb, 3);
    spec.interlaced = interlaced;
    spec.sample = [&](int x, int y, int c) { return picture.row(y)[x * 3 + c]; };
    ExpectPixels(test::MakePng(spec), picture);
  }
}

TEST(DecodePng, InterlacesPicturesSmallerThanItsGrid) {
  for (int width = 1; width <= 9; ++width) {
    for (int height = 1; height <= 9; ++height) {
      const Image picture = test::SmoothPicture(width, height);
      ExpectPixels(
          test::MakePng({.width = width,
                         .height = height,
                         .interlaced = true,
                         .sample = [&](int x, int y, int c) { return picture.row(y)[x * 3 + c]; }}),
          picture);
    }
  }
}

TEST(DecodePng, DropsAlphaWithoutCompositing) {
  const Image color = test::SmoothPicture(kWidth, kHeight);
  const Image grey = test::GreyPicture(kWidth, kHeight);
  const auto alpha = [](int x, int y) { return static_cast<std::uint32_t>((x * 9 + y) % 256); };
  PngSpec rgba = Spec(8, kRgba, 4);
  rgba.sample = [&](int x, int y, int c) { return c < 3 ? color.row(y)[x * 3 + c] : alpha(x, y); };
  ExpectPixels(test::MakePng(rgba), color);
  PngSpec grey_alpha = Spec(8, kGreyAlpha, 2);
  grey_alpha.sample = [&](int x, int y, int c) {
    return c == 0 ? grey.row(y)[x * 3] : alpha(x, y);
  };
  ExpectPixels(test::MakePng(grey_alpha), grey);
}

TEST(DecodePng, IgnoresTheTransparentColorOfGreyAndRgb) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  PngSpec spec = Spec(8, kRgb, 3);
  spec.sample = [&](int x, int y, int c) { return picture.row(y)[x * 3 + c]; };
  spec.before_data =
      test::PngChunk("tRNS", {0, picture.row(0)[0], 0, picture.row(0)[1], 0, picture.row(0)[2]});
  ExpectPixels(test::MakePng(spec), picture);
}

TEST(DecodePng, LooksUpPalettesOfEveryDepth) {
  const auto palette = test::Palette16();
  for (const int depth : {1, 2, 4, 8}) {
    for (const bool transparent : {false, true}) {
      for (const bool interlaced : {false, true}) {
        PngSpec spec = Spec(depth, kPalette, 1);
        const int colors = depth == 8 ? 16 : 1 << depth;
        spec.interlaced = interlaced;
        spec.sample = [&](int x, int y, int) {
          return static_cast<std::uint32_t>(test::IndexAt(x, y) % colors);
        };
        Bytes entries;
        for (int k = 0; k < colors; ++k)
          entries.insert(entries.end(), palette[static_cast<std::size_t>(k)].begin(),
                         palette[static_cast<std::size_t>(k)].end());
        spec.before_data = test::PngChunk("PLTE", entries);
        if (transparent) test::Append(spec.before_data, test::PngChunk("tRNS", {0, 128}));
        Image expected(kWidth, kHeight);
        for (int y = 0; y < kHeight; ++y)
          for (int x = 0; x < kWidth * 3; ++x)
            expected.row(y)[x] = palette[spec.sample(x / 3, y, 0)][static_cast<std::size_t>(x % 3)];
        ExpectPixels(test::MakePng(spec), expected);
      }
    }
  }
}

TEST(DecodePng, StretchesGreyOfEveryDepthToTheFullRange) {
  for (const int depth : {1, 2, 4, 8}) {
    const auto largest = (1u << depth) - 1;
    PngSpec spec = Spec(depth, kGrey, 1);
    spec.sample = [&](int x, int y, int) {
      return static_cast<std::uint32_t>(x * 5 + y * 3) & largest;
    };
    Image expected(kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth * 3; ++x)
        expected.row(y)[x] = static_cast<std::uint8_t>(spec.sample(x / 3, y, 0) * 255 / largest);
    ExpectPixels(test::MakePng(spec), expected);
  }
}

TEST(DecodePng, ScalesSixteenBitsToTheNearestEight) {
  for (const auto& [type, channels] :
       {std::pair{kGrey, 1}, {kGreyAlpha, 2}, {kRgb, 3}, {kRgba, 4}}) {
    PngSpec spec = Spec(16, type, channels);
    spec.sample = [](int x, int y, int c) {
      return static_cast<std::uint32_t>(x * 1771 + y * 977 + c * 12345) & 0xFFFF;
    };
    Image expected(kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y)
      for (int k = 0; k < kWidth * 3; ++k)
        expected.row(y)[k] = static_cast<std::uint8_t>(
            (spec.sample(k / 3, y, channels < 3 ? 0 : k % 3) * 255 + 32767) / 65535);
    ExpectPixels(test::MakePng(spec), expected);
  }
}

TEST(DecodePng, AppliesTheOrientationOfItsExifChunkBeforeOrBehindThePixels) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  const Bytes exif = test::PngChunk("eXIf", test::ExifBlock(6, false));
  PngSpec spec = Spec(8, kRgb, 3);
  spec.sample = [&](int x, int y, int c) { return picture.row(y)[x * 3 + c]; };
  for (const bool before : {true, false}) {
    spec.before_data = before ? exif : Bytes{};
    spec.after_data = before ? Bytes{} : exif;
    const auto image = DecodePicture(test::MakePng(spec));
    ASSERT_TRUE(image) << image.error().message;
    ASSERT_EQ(image->width(), kHeight);
    ASSERT_EQ(image->height(), kWidth);
    EXPECT_TRUE(std::equal(picture.row(0), picture.row(0) + 3, image->row(0) + (kHeight - 1) * 3));
  }
}

TEST(DecodePng, TakesTheDefaultImageOfAnAnimation) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  PngSpec spec = Spec(8, kRgb, 3);
  spec.sample = [&](int x, int y, int c) { return picture.row(y)[x * 3 + c]; };
  spec.before_data = test::PngChunk("acTL", {0, 0, 0, 2, 0, 0, 0, 0});
  spec.after_data = test::PngChunk("fdAT", Bytes(40, 7));
  ExpectPixels(test::MakePng(spec), picture);
}

TEST(DecodePng, DoesNotTouchGammaOrProfiles) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  ExpectPixels(test::MakeRgbPng(picture, test::PngChunk("gAMA", {0, 0, 0x10, 0})), picture);
}

TEST(DecodePng, SkipsMetadataBombsUnread) {
  Bytes text = test::BytesOf("Comment");
  text.push_back(0);
  text.push_back(0);
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  // The IDAT of an empty picture is a plain deflated stream: borrow it as the text. Each text alone
  // stays under libpng's own limit of 8 MB.
  const Bytes bomb = test::MakePng({.width = 1, .height = 1, .extra_raw = Bytes(7u << 20, 'a')});
  test::Append(text, Bytes(bomb.begin() + 41, bomb.end() - 16));
  Bytes chunks;
  for (int k = 0; k < 20; ++k) test::Append(chunks, test::PngChunk("zTXt", text));
  const auto before = ReadProcessMemory();
  ExpectPixels(test::MakeRgbPng(picture, chunks), picture);
  const auto after = ReadProcessMemory();
  EXPECT_LT(after->peak_rss_bytes - before->peak_rss_bytes, 16u << 20);
}

TEST(DecodePng, IgnoresBytesBehindItsEnd) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  Bytes file = test::MakeRgbPng(picture);
  test::Append(file, Bytes(1000, 0x55));
  ExpectPixels(file, picture);
}

TEST(DecodePng, IgnoresALittleDataBehindTheLastRowButNotABomb) {
  const Image picture = test::SmoothPicture(kWidth, kHeight);
  PngSpec spec = Spec(8, kRgb, 3);
  spec.sample = [&](int x, int y, int c) { return picture.row(y)[x * 3 + c]; };
  spec.extra_raw = Bytes(100, 1);
  ExpectPixels(test::MakePng(spec), picture);
  std::mt19937 random(5);
  spec.extra_raw.resize(1u << 20);
  for (auto& byte : spec.extra_raw) byte = static_cast<std::uint8_t>(random());
  const auto image = DecodePicture(test::MakePng(spec));
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::kCorruptData);
}

TEST(DecodePng, RefusesDamage) {
  const Bytes good = test::MakeRgbPng(test::SmoothPicture(kWidth, kHeight));
  const auto code_with = [&](std::size_t at, std::uint8_t flip) {
    Bytes file = good;
    file[at] ^= flip;
    const auto image = DecodePicture(file);
    return image ? ErrorCode::kInternal : image.error().code;
  };
  EXPECT_EQ(code_with(19, 1), ErrorCode::kCorruptData);                  // width: checksum
  EXPECT_EQ(code_with(24, 0x10), ErrorCode::kCorruptData);               // bit depth
  EXPECT_EQ(code_with(12, 0x20), ErrorCode::kCorruptData);               // type of the first chunk
  EXPECT_EQ(code_with(33, 0x80), ErrorCode::kCorruptData);               // length of the data
  EXPECT_EQ(code_with(good.size() / 2, 0xFF), ErrorCode::kCorruptData);  // data: checksum
  // A palette picture without its palette.
  PngSpec spec = Spec(8, kPalette, 1);
  spec.sample = [](int, int, int) { return 0u; };
  EXPECT_EQ(DecodePicture(test::MakePng(spec)).error().code, ErrorCode::kCorruptData);
  spec.before_data = PaletteChunk();
  EXPECT_TRUE(DecodePicture(test::MakePng(spec)));
}

}  // namespace
}  // namespace holostat::media
