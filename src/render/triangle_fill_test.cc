#include "render/triangle_fill.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace holostat::render {
namespace {

constexpr int kSide = 60;

class Counts {
 public:
  void Fill(const std::array<Vec2, 3>& triangle) {
    FillTriangle(triangle, kSide, kSide, [&](int y, int left, int right) {
      for (int x = left; x < right; ++x) ++counts_[static_cast<std::size_t>(y * kSide + x)];
    });
  }
  int at(int x, int y) const { return counts_[static_cast<std::size_t>(y * kSide + x)]; }

 private:
  std::vector<int> counts_ = std::vector<int>(kSide * kSide);
};

TEST(FillTriangle, TakesThePixelsWhoseCentresAreInside) {
  Counts counts;
  counts.Fill({Vec2{10, 10}, Vec2{14, 10}, Vec2{10, 14}});
  EXPECT_EQ(counts.at(10, 10), 1);
  EXPECT_EQ(counts.at(12, 10), 1);
  EXPECT_EQ(counts.at(13, 10), 0);
  EXPECT_EQ(counts.at(10, 13), 0);
  EXPECT_EQ(counts.at(9, 10), 0);
}

TEST(FillTriangle, AFanSharesNoPixelAndLeavesNoneOut) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> wobble(0.6f, 1);
  for (int round = 0; round < 200; ++round) {
    const Vec2 middle{30 + wobble(random), 30 + wobble(random)};
    std::vector<Vec2> rim;
    for (int i = 0; i < 9; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / 9;
      rim.push_back({middle.x + 25 * wobble(random) * std::cos(angle),
                     middle.y + 25 * wobble(random) * std::sin(angle)});
    }
    Counts counts;
    for (std::size_t i = 0; i < rim.size(); ++i)
      counts.Fill({middle, rim[i], rim[(i + 1) % rim.size()]});
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        const float away = std::hypot(static_cast<float>(x) + 0.5f - middle.x,
                                      static_cast<float>(y) + 0.5f - middle.y);
        EXPECT_LE(counts.at(x, y), 1);
        if (away < 13) {
          EXPECT_EQ(counts.at(x, y), 1) << x << ' ' << y;
        }
      }
    }
  }
}

TEST(FillTriangle, StaysInsideThePicture) {
  Counts counts;  // at() would be out of bounds under the sanitizer
  counts.Fill({Vec2{-500, -300}, Vec2{900, 20}, Vec2{-100, 700}});
  EXPECT_EQ(counts.at(0, 0), 1);
  counts.Fill({Vec2{1e9f, 0}, Vec2{2e9f, 5}, Vec2{1e9f, 1e9f}});
  EXPECT_EQ(counts.at(kSide - 1, kSide - 1), 1);
}

TEST(FillTriangle, ATriangleWithoutAreaTakesNothing) {
  Counts counts;
  counts.Fill({Vec2{5, 5}, Vec2{5, 5}, Vec2{5, 5}});
  counts.Fill({Vec2{5, 5.2f}, Vec2{50, 5.2f}, Vec2{20, 5.2f}});
  for (int x = 0; x < kSide; ++x) EXPECT_EQ(counts.at(x, 5), 0);
}

}  // namespace
}  // namespace holostat::render
