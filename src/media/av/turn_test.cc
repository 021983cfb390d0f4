#include "media/av/turn.h"

#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

namespace holostat::media::av {
namespace {

constexpr std::int32_t kOne = 1 << 16;

// Each pixel says where it is stored.
Image Numbered(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(x);
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(y);
    }
  }
  return image;
}

struct Case {
  const char* name;
  std::array<std::int32_t, 4> abcd;      // of the display matrix
  int (*x)(int x, int y, int w, int h);  // where the pixel shown at x, y is stored
  int (*y)(int x, int y, int w, int h);
};

// w and h are those of the stored picture.
const std::array kCases{
    Case{"as stored",
         {kOne, 0, 0, kOne},
         [](int x, int, int, int) { return x; },
         [](int, int y, int, int) { return y; }},
    Case{"clockwise",
         {0, kOne, -kOne, 0},
         [](int, int y, int, int) { return y; },
         [](int x, int, int, int h) { return h - 1 - x; }},
    Case{"half a turn",
         {-kOne, 0, 0, -kOne},
         [](int x, int, int w, int) { return w - 1 - x; },
         [](int, int y, int, int h) { return h - 1 - y; }},
    Case{"counter-clockwise",
         {0, -kOne, kOne, 0},
         [](int, int y, int w, int) { return w - 1 - y; },
         [](int x, int, int, int) { return x; }},
    Case{"mirrored",
         {-kOne, 0, 0, kOne},
         [](int x, int, int w, int) { return w - 1 - x; },
         [](int, int y, int, int) { return y; }},
    Case{"transposed",
         {0, kOne, kOne, 0},
         [](int, int y, int, int) { return y; },
         [](int x, int, int, int) { return x; }},
};

TEST(Turn, EveryPixelComesFromWhereTheMatrixSays) {
  constexpr int kWidth = 70, kHeight = 45;  // more than a tile each way, and no whole number
  const Image stored = Numbered(kWidth, kHeight);
  for (const Case& one : kCases) {
    const std::array<std::int32_t, 9> matrix{
        one.abcd[0], one.abcd[1], 0, one.abcd[2], one.abcd[3], 0, 0, 0, 0};
    const Turn turn = TurnOf(matrix.data());
    Image upright(turn.transpose ? kHeight : kWidth, turn.transpose ? kWidth : kHeight);
    TurnInto(stored.view(), turn, upright.row(0), upright.stride_bytes());
    for (int y = 0; y < upright.height(); ++y) {
      for (int x = 0; x < upright.width(); ++x) {
        const std::uint8_t* pixel = upright.row(y) + 3 * x;
        ASSERT_EQ(std::tuple(pixel[0], pixel[1]),
                  std::tuple(one.x(x, y, kWidth, kHeight), one.y(x, y, kWidth, kHeight)))
            << one.name << " at " << x << "," << y;
      }
    }
  }
}

TEST(Turn, OddAnglesAreTheNearestRightOne) {
  const std::array<std::int32_t, 9> tilted{kOne, kOne / 10, 0, -kOne / 10, kOne, 0, 0, 0, 0};
  EXPECT_TRUE(TurnOf(tilted.data()).is_none());
}

TEST(Turn, OnePixelWideIsFine) {
  const Image stored = Numbered(1, 9);
  Image upright(9, 1);
  TurnInto(stored.view(), {.transpose = true, .mirror_columns = true}, upright.row(0),
           upright.stride_bytes());
  EXPECT_EQ(upright.row(0)[1], 8);
}

}  // namespace
}  // namespace holostat::media::av
