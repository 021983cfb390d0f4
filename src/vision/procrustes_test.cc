#include "vision/procrustes.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace holostat::vision {
namespace {

TEST(FitSimilarity, FindsWhatWasDoneToThePoints) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::array<Vec3, 12> from, to;
  std::array<double, 12> weights;
  for (int round = 0; round < 200; ++round) {
    const Quaternion turn =
        AboutAxis(*Unit({normal(random), normal(random), normal(random)}), 3 * normal(random));
    const Similarity truth{std::exp(normal(random)), turn, {normal(random), normal(random), -4}};
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = {normal(random), normal(random), normal(random)};
      to[i] = truth.Apply(from[i]);
      weights[i] = 0.1 + static_cast<double>(i);
    }
    const auto fit = FitSimilarity(from, to, weights);
    ASSERT_TRUE(fit);
    EXPECT_LT(AngleDegrees(fit->rotation, turn), 1e-4);
    EXPECT_NEAR(fit->scale, truth.scale, 1e-9);
    EXPECT_LT(Length(fit->translation - truth.translation), 1e-8);
    EXPECT_LT(Length(fit->Undo(to[0]) - from[0]), 1e-8);
  }
}

TEST(FitSimilarity, NeverMirrors) {
  const std::array<Vec3, 4> from{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<Vec3, 4> to;
  for (std::size_t i = 0; i < 4; ++i) to[i] = {-from[i].x, from[i].y, from[i].z};
  const std::array<double, 4> weights{1, 1, 1, 1};
  const auto fit = FitSimilarity(from, to, weights);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(Dot(fit->rotation, fit->rotation), 1, 1e-9);
  EXPECT_GT(Length(fit->Apply(from[1]) - to[1]), 0.1);
}

TEST(FitSimilarity, AWeightOfNothingCountsForNothing) {
  std::array<Vec3, 5> from{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  std::array<Vec3, 5> to = from;
  to[4] = {50, -20, 9};
  const auto fit = FitSimilarity(from, to, std::array<double, 5>{1, 1, 1, 1, 0});
  ASSERT_TRUE(fit);
  EXPECT_LT(AngleDegrees(fit->rotation, {}), 1e-5);
}

TEST(FitSimilarity, PointsThatAreOneOrNoneHaveNoFit) {
  const std::array<Vec3, 3> one{{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}};
  const std::array<Vec3, 3> three{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const std::array<double, 3> weights{1, 1, 1};
  EXPECT_FALSE(FitSimilarity(one, three, weights));
  EXPECT_FALSE(FitSimilarity(three, one, weights));
  const std::array<Vec3, 3> broken{{{1, 0, 0}, {std::nan(""), 1, 0}, {0, 0, 1}}};
  EXPECT_FALSE(FitSimilarity(three, broken, weights));
}

}  // namespace
}  // namespace holostat::vision
