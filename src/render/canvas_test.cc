#include "render/canvas.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace holostat::render {
namespace {

constexpr ToneStyle kWhite{"", {255, 255, 255}};
constexpr ToneStyle kHalfWhite{"", {255, 255, 255}, 0.5f};

int Red(const Image& image, int x, int y) { return image.row(y)[3 * x]; }

Image Black(int width, int height) { return Image(width, height); }

void Stroke(Image& image, const ToneStyle& style, double width, std::vector<Segment> segments) {
  Canvas(image).Stroke(style, width, segments);
}

TEST(Canvas, FillsExactlyThePixelsOfALine) {
  Image image = Black(20, 20);
  Stroke(image, kWhite, 4, {{{5, 10}, {15, 10}}});
  for (int y = 0; y < 20; ++y) EXPECT_EQ(Red(image, 10, y), y >= 8 && y < 12 ? 255 : 0) << y;
  EXPECT_EQ(Red(image, 1, 10), 0);
  EXPECT_EQ(Red(image, 18, 10), 0);
}

TEST(Canvas, SharesPixelsThatAreHalfCovered) {
  Image image = Black(20, 20);
  Stroke(image, kWhite, 4, {{{5, 10.5}, {15, 10.5}}});
  EXPECT_EQ(Red(image, 10, 7), 0);
  EXPECT_NEAR(Red(image, 10, 8), 128, 1);
  EXPECT_EQ(Red(image, 10, 9), 255);
  EXPECT_EQ(Red(image, 10, 11), 255);
  EXPECT_NEAR(Red(image, 10, 12), 128, 1);
}

TEST(Canvas, FadesLinesThinnerThanAPixel) {
  Image image = Black(20, 20);
  Stroke(image, kWhite, 0.5, {{{5, 10.5}, {15, 10.5}}});
  EXPECT_NEAR(Red(image, 10, 10), 128, 1);
  EXPECT_LT(Red(image, 10, 9), 10);
}

TEST(Canvas, DrawsADotWhereBothEndsAreOne) {
  Image image = Black(20, 20);
  Stroke(image, kWhite, 6, {{{10, 10}, {10, 10}}});
  double area = 0;
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 20; ++x) area += Red(image, x, y) / 255.0;
  }
  EXPECT_NEAR(area, 9 * 3.1416, 0.3);
}

TEST(Canvas, BlendsAShapeOnceWhereItsLinesOverlap) {
  Image image = Black(40, 40);
  Stroke(image, kHalfWhite, 4, {{{5, 20}, {35, 20}}, {{20, 5}, {20, 35}}, {{5, 20}, {35, 20}}});
  EXPECT_EQ(Red(image, 20, 20), 128);
  EXPECT_EQ(Red(image, 10, 20), 128);
  EXPECT_EQ(Red(image, 20, 10), 128);
  Image thin = Black(20, 20);
  Stroke(thin, kWhite, 0.5, {{{5, 10.5}, {15, 10.5}}, {{2, 10.5}, {12, 10.5}}});
  EXPECT_NEAR(Red(thin, 10, 10), 128, 1);
}

TEST(Canvas, ShowsNoSeams) {
  // The dot moves the corner of the shape, and with it all tiles.
  Image alone = Black(300, 300), with_dot = Black(300, 300);
  const Segment line{{57, 51}, {267, 201}}, back{{267, 201}, {137, 61}}, dot{{10, 10}, {10, 10}};
  Stroke(alone, kWhite, 7.3, {line, back});
  Stroke(with_dot, kWhite, 7.3, {line, back, dot});
  int painted = 0;
  for (int y = 20; y < 300; ++y) {
    for (int x = 20; x < 300; ++x) {
      ASSERT_EQ(Red(alone, x, y), Red(with_dot, x, y)) << x << "," << y;
      painted += Red(alone, x, y) == 255;
    }
  }
  EXPECT_GT(painted, 2000);
}

TEST(Canvas, CutsAtTheBorder) {
  Image image = Black(30, 30);
  Stroke(image, kWhite, 5, {{{-30, -30}, {60, 60}}, {{-20, 15}, {-10, 15}}, {{15, 59}, {15, 29}}});
  EXPECT_EQ(Red(image, 0, 0), 255);
  EXPECT_EQ(Red(image, 29, 29), 255);
  EXPECT_EQ(Red(image, 0, 15), 0);
}

TEST(Canvas, DrawsAllSlopesAlike) {
  // Lines of every slope, each against its own mirror image.
  for (int step = 0; step <= 20; ++step) {
    Image image = Black(64, 64), mirrored = Black(64, 64);
    Stroke(image, kWhite, 3, {{{4, 5}, {60, 5.0 + 2.5 * step}}});
    Stroke(mirrored, kWhite, 3, {{{60, 5}, {4, 5.0 + 2.5 * step}}});
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) ASSERT_NEAR(Red(image, x, y), Red(mirrored, 63 - x, y), 1);
    }
  }
}

TEST(Canvas, TintsSoftlyAcrossTheBorderOfAMask) {
  std::vector<float> values(std::size_t{kMaskSize} * kMaskSize);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % kMaskSize < 128 ? 1 : 0;
  Image image = Black(2560, 4);
  Canvas(image).Tint({values, {1, 0, 0, 0, 1, 0}}, {200, 0, 0});
  EXPECT_EQ(Red(image, 100, 2), Red(image, 1000, 2));
  EXPECT_GT(Red(image, 100, 2), 20);
  EXPECT_EQ(Red(image, 1300, 2), 0);
  int steps = 0;
  for (int x = 1; x < 2560; ++x) {
    const int change = std::abs(Red(image, x, 2) - Red(image, x - 1, 2));
    if (x > 20 && x < 2540) {
      EXPECT_LT(change, 60) << x;
    }
    steps += change != 0;
  }
  EXPECT_GT(steps, 5);
}

}  // namespace
}  // namespace holostat::render
