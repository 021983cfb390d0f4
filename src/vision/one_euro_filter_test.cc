#include "vision/one_euro_filter.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace holostat::vision {
namespace {

constexpr double kStep = 33333e-6;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(LowPassFilter, MovesByAlphaTowardsEachValue) {
  LowPassFilter filter;
  EXPECT_EQ(filter.Apply(1, 0.1f), 1.0f);
  EXPECT_FLOAT_EQ(filter.Apply(0, 0.1f), 0.9f);
  EXPECT_FLOAT_EQ(filter.Apply(0, 0.1f), 0.81f);
}

TEST(LowPassFilter, BeginsAnewAfterAReset) {
  LowPassFilter filter;
  filter.Apply(1, 0.1f);
  filter.Reset();
  EXPECT_EQ(filter.Apply(5, 0.1f), 5.0f);
}

TEST(LowPassFilter, ForgetsWhatIsNoNumber) {
  LowPassFilter filter;
  filter.Apply(1, 0.1f);
  EXPECT_TRUE(std::isnan(filter.Apply(kNan, 0.1f)));
  EXPECT_FLOAT_EQ(filter.Apply(0, 0.1f), 0.9f);
}

// Worked out beside the reference's sources, with a step of 33333 us.
TEST(OneEuroFilter, FollowsTheReference) {
  constexpr OneEuroParameters kParameters{.min_cutoff = 0.05f, .beta = 80};
  constexpr std::array kIn = {100.0f, 101.0f, 110.0f, 110.0f};
  constexpr std::array kOut = {100.0f, 100.155807f, 106.382431f, 108.508202f};
  OneEuroFilter filter;
  for (std::size_t i = 0; i < kIn.size(); ++i) {
    EXPECT_NEAR(filter.Apply(kParameters, kStep, 1.0f / 500, kIn[i]), kOut[i], 2e-5f) << i;
  }
}

// A step response: at rest beta does not matter, and what is left is the low-pass of min_cutoff.
TEST(OneEuroFilter, AtRestHasTheAlphaOfItsLowestCutoff) {
  OneEuroFilter filter;
  constexpr OneEuroParameters kParameters{.min_cutoff = 0.05f, .beta = 0};
  filter.Apply(kParameters, kStep, 1, 0);
  EXPECT_NEAR(filter.Apply(kParameters, kStep, 1, 1), 0.0103633f, 1e-6f);
}

TEST(OneEuroFilter, ALongerStepTrustsTheNewValueMore) {
  constexpr OneEuroParameters kParameters{.min_cutoff = 0.05f, .beta = 0};
  OneEuroFilter fast, slow;
  fast.Apply(kParameters, kStep, 1, 0);
  slow.Apply(kParameters, kStep, 1, 0);
  EXPECT_GT(slow.Apply(kParameters, 1.0, 1, 1), fast.Apply(kParameters, kStep, 1, 1));
}

TEST(OneEuroFilter, ForgetsWhatIsNoNumber) {
  constexpr OneEuroParameters kParameters{.min_cutoff = 0.05f, .beta = 80};
  OneEuroFilter with, without;
  for (float value : {100.0f, 101.0f}) {
    with.Apply(kParameters, kStep, 0.002f, value);
    without.Apply(kParameters, kStep, 0.002f, value);
  }
  EXPECT_TRUE(std::isnan(with.Apply(kParameters, kStep, 0.002f, kNan)));
  EXPECT_EQ(with.Apply(kParameters, kStep, 0.002f, 110),
            without.Apply(kParameters, kStep, 0.002f, 110));
}

TEST(OneEuroFilter, BeginsAnewAfterAReset) {
  constexpr OneEuroParameters kParameters{.min_cutoff = 0.05f, .beta = 80};
  OneEuroFilter filter;
  filter.Apply(kParameters, kStep, 1, 1);
  filter.Reset();
  EXPECT_EQ(filter.Apply(kParameters, kStep, 1, 7), 7.0f);
}

}  // namespace
}  // namespace holostat::vision
