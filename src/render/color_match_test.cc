#include "render/color_match.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace holostat::render {
namespace {

std::vector<Color> Cloud(unsigned seed, Color middle, float spread) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0, spread);
  std::vector<Color> colors;
  for (int i = 0; i < 4000; ++i) {
    const float light = noise(random);  // most of what differs in a face is how light it is
    colors.push_back({middle[0] + light + 0.3f * noise(random),
                      middle[1] + 0.8f * light + 0.2f * noise(random),
                      middle[2] + 0.6f * light + 0.4f * noise(random)});
  }
  return colors;
}

ColorStats StatsOf(const std::vector<Color>& colors) {
  ColorStats stats;
  for (const Color& color : colors) stats.Add(color, 0.5f);
  return stats;
}

TEST(MatchColors, GivesTheMeanAndSpreadOfTheOther) {
  const auto from = Cloud(1, {180, 140, 120}, 20), to = Cloud(2, {90, 70, 80}, 14);
  const ColorTransform transform = MatchColors(StatsOf(from), StatsOf(to));
  std::vector<Color> moved;
  for (const Color& color : from) moved.push_back(transform(color));
  const ColorStats got = StatsOf(moved), wanted = StatsOf(to);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(got.Mean()[i], wanted.Mean()[i], 0.1);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(got.Covariance()[i][j], wanted.Covariance()[i][j],
                  40);  // the noise that is assumed
  }
}

TEST(MatchColors, LeavesAloneWhatMatches) {
  const ColorStats stats = StatsOf(Cloud(3, {150, 120, 100}, 20));
  const Color out = MatchColors(stats, stats)({10, 200, 70});
  EXPECT_NEAR(out[0], 10, 0.1);
  EXPECT_NEAR(out[1], 200, 0.1);
  EXPECT_NEAR(out[2], 70, 0.1);
}

TEST(MatchColors, NeverStretchesBeyondItsLimit) {
  const ColorTransform transform =
      MatchColors(StatsOf(Cloud(4, {100, 100, 100}, 0.5f)), StatsOf(Cloud(5, {100, 100, 100}, 60)));
  const Color a = transform({100, 100, 100}), b = transform({110, 110, 110});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_LE(std::abs(b[c] - a[c]), 10 * 1.6f * std::sqrt(3.0f));
}

TEST(MatchColors, WithoutColoursChangesNothing) {
  const Color out = MatchColors(ColorStats(), StatsOf(Cloud(6, {1, 2, 3}, 1)))({7, 8, 9});
  EXPECT_EQ(out, (Color{7, 8, 9}));
}

TEST(ColorStats, ApproachesAnother) {
  ColorStats stats = StatsOf(std::vector<Color>(10, Color{100, 0, 0}));
  stats.Approach(StatsOf(std::vector<Color>(10, Color{200, 0, 0})), 0.25f);
  EXPECT_NEAR(stats.Mean()[0], 125, 1e-3);
}

}  // namespace
}  // namespace holostat::render
