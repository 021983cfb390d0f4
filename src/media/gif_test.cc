// Every variant of GIF: frames smaller than, equal to and beyond the canvas.
#include <gtest/gtest.h>

#include <algorithm>

#include "holostat/picture.h"
#include "media/test_pictures.h"

namespace holostat::media {
namespace {

using test::Bytes;
using test::GifSpec;

GifSpec WholeCanvas(int width, int height) {
  return {.canvas_width = width, .canvas_height = height, .width = width, .height = height};
}

void ExpectPixels(const Bytes& file, const Image& expected) {
  const auto image = DecodePicture(file);
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->width(), expected.width());
  ASSERT_EQ(image->height(), expected.height());
  EXPECT_EQ(test::LargestDifference(*image, expected), 0);
}

// What `spec` should look like, pixel by pixel.
Image Expected(const GifSpec& spec) {
  const auto palette = test::Palette16();
  Image image(spec.canvas_width, spec.canvas_height);
  for (int y = 0; y < spec.canvas_height; ++y) {
    for (int x = 0; x < spec.canvas_width; ++x) {
      const int fx = x - spec.left;
      const int fy = y - spec.top;
      const bool inside = fx >= 0 && fy >= 0 && fx < spec.width && fy < spec.height;
      const bool drawn = inside && test::IndexAt(fx, fy) != spec.transparent;
      const int index = drawn ? test::IndexAt(fx, fy) : spec.background;
      if (!drawn && spec.local_palette) continue;  // no global palette: black
      std::copy_n(palette[static_cast<std::size_t>(index)].begin(), 3, image.row(y) + x * 3);
    }
  }
  return image;
}

TEST(DecodeGif, KeepsEveryPixelWithAndWithoutInterlacing) {
  for (const bool interlaced : {false, true}) {
    GifSpec spec = WholeCanvas(37, 21);
    spec.interlaced = interlaced;
    ExpectPixels(test::MakeGif(spec), test::PalettePicture(37, 21));
  }
}

TEST(DecodeGif, InterlacesPicturesOfFewRows) {
  for (int height = 1; height <= 9; ++height) {
    GifSpec spec = WholeCanvas(5, height);
    spec.interlaced = true;
    ExpectPixels(test::MakeGif(spec), test::PalettePicture(5, height));
  }
}

TEST(DecodeGif, ShowsTheBackgroundWhereTheFrameDoesNotReachOrIsTransparent) {
  const GifSpec spec{.canvas_width = 40,
                     .canvas_height = 30,
                     .background = 9,
                     .left = 7,
                     .top = 5,
                     .width = 20,
                     .height = 15,
                     .transparent = 4};
  ExpectPixels(test::MakeGif(spec), Expected(spec));
}

TEST(DecodeGif, TheBackgroundIsBlackWithoutAGlobalPalette) {
  GifSpec spec{
      .canvas_width = 40, .canvas_height = 30, .left = 7, .top = 5, .width = 20, .height = 15};
  spec.transparent = 2;
  spec.local_palette = true;
  ExpectPixels(test::MakeGif(spec), Expected(spec));
}

TEST(DecodeGif, CutsAFrameAtTheCanvas) {
  for (const bool interlaced : {false, true}) {
    GifSpec spec{
        .canvas_width = 20, .canvas_height = 10, .left = 5, .top = 3, .width = 40, .height = 30};
    spec.interlaced = interlaced;
    ExpectPixels(test::MakeGif(spec), Expected(spec));
    spec.left = 300;  // wholly outside
    ExpectPixels(test::MakeGif(spec), Expected(spec));
  }
}

TEST(DecodeGif, StopsBehindTheFirstFrame) {
  GifSpec spec = WholeCanvas(37, 21);
  spec.frames = 3;
  Bytes file = test::MakeGif(spec);
  ExpectPixels(file, test::PalettePicture(37, 21));
  const Bytes one = test::MakeGif(WholeCanvas(37, 21));
  std::fill(file.begin() + static_cast<std::ptrdiff_t>(one.size()), file.end(), 0xAA);
  ExpectPixels(file, test::PalettePicture(37, 21));
}

TEST(DecodeGif, AFrameOverThePixelLimitIsRefusedHoweverSmallTheCanvas) {
  GifSpec spec{.canvas_width = 4, .canvas_height = 4, .width = 200, .height = 200};
  const auto image = DecodePicture(test::MakeGif(spec), {.max_pixels = 10'000});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::kLimitExceeded);
}

TEST(DecodeGif, RefusesAFileWithoutAFrameAndAnEmptyCanvas) {
  GifSpec none = WholeCanvas(8, 8);
  none.frames = 0;
  EXPECT_EQ(DecodePicture(test::MakeGif(none)).error().code, ErrorCode::kCorruptData);
  Bytes file = test::MakeGif(WholeCanvas(8, 8));
  std::fill_n(file.begin() + 6, 4, 0);
  EXPECT_EQ(DecodePicture(file).error().code, ErrorCode::kCorruptData);
}

TEST(DecodeGif, ColorsBeyondThePaletteAreBlack) {
  Bytes file = test::MakeGif(WholeCanvas(16, 8));
  // Shrink the global palette from 16 to 2 colours: flags byte, then cut 14 entries.
  file[10] = static_cast<std::uint8_t>(file[10] & 0xF8);
  file.erase(file.begin() + 13 + 6, file.begin() + 13 + 48);
  const auto image = DecodePicture(file);
  ASSERT_TRUE(image) << image.error().message;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x)
      if (test::IndexAt(x, y) >= 2) {
        EXPECT_EQ(image->row(y)[x * 3] + image->row(y)[x * 3 + 1] + image->row(y)[x * 3 + 2], 0);
      }
}

}  // namespace
}  // namespace holostat::media
