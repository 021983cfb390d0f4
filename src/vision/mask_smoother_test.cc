#include "vision/mask_smoother.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::vision {
namespace {

constexpr std::size_t kValues = std::size_t{kMaskSize} * kMaskSize;
constexpr std::array<float, 6> kWholePicture = {1, 0, 0, 0, 1, 0};

std::vector<float> Filled(float value) { return std::vector<float>(kValues, value); }

void Smooth(MaskSmoother& smoother, std::vector<float>& values,
            const std::array<float, 6>& image_to_mask = kWholePicture) {
  smoother.Apply({values, image_to_mask}, values);
}

float At(const std::vector<float>& values, int column, int row) {
  return values[static_cast<std::size_t>(row * kMaskSize + column)];
}

// Numbers of the reference.
TEST(MaskSmoother, UnsureProbabilitiesChangeSlowly) {
  EXPECT_NEAR(SmoothedProbability(0.6f, 0.2f), 0.335891f, 1e-6f);
  EXPECT_NEAR(SmoothedProbability(0.95f, 0.2f), 0.907120f, 1e-6f);
  EXPECT_NEAR(SmoothedProbability(0.5f, 0.2f), 0.29f, 1e-6f);
  EXPECT_NEAR(SmoothedProbability(1.0f, 0.2f), 1.0f, 1e-3f);
}

TEST(MaskSmoother, TheFirstMaskPasses) {
  MaskSmoother smoother;
  auto values = Filled(0.6f);
  Smooth(smoother, values);
  EXPECT_EQ(values, Filled(0.6f));
}

TEST(MaskSmoother, EachPointIsSmoothedByTheOneBefore) {
  MaskSmoother smoother;
  auto first = Filled(0.2f), second = Filled(0.6f), third = Filled(0.6f);
  Smooth(smoother, first);
  Smooth(smoother, second);
  const float smoothed = SmoothedProbability(0.6f, 0.2f);
  EXPECT_EQ(second, Filled(smoothed));
  Smooth(smoother, third);
  EXPECT_EQ(third, Filled(SmoothedProbability(0.6f, smoothed)));
}

TEST(MaskSmoother, FollowsTheRegionOfTheMask) {
  // The second mask sees the right half of what the first saw, twice as large.
  MaskSmoother smoother;
  auto first = Filled(0.2f), second = Filled(0.5f);
  for (std::size_t i = 0; i < kValues; ++i) {
    if (i % kMaskSize >= 192) first[i] = 0.8f;
  }
  Smooth(smoother, first);
  Smooth(smoother, second, {2, 0, -1, 0, 1, 0});
  EXPECT_EQ(At(second, 100, 100), SmoothedProbability(0.5f, 0.2f));
  EXPECT_EQ(At(second, 150, 100), SmoothedProbability(0.5f, 0.8f));
}

TEST(MaskSmoother, OutsideOfTheRegionBeforeNobodyWas) {
  MaskSmoother smoother;
  auto first = Filled(1), second = Filled(0.5f);
  Smooth(smoother, first);
  Smooth(smoother, second, {1, 0, 0.5f, 0, 1, 0});  // half a region further left
  EXPECT_EQ(At(second, 10, 100), SmoothedProbability(0.5f, 0));
  EXPECT_EQ(At(second, 200, 100), SmoothedProbability(0.5f, 1));
}

TEST(MaskSmoother, BeginsAnewAfterAReset) {
  MaskSmoother smoother;
  auto first = Filled(0.2f), second = Filled(0.6f);
  Smooth(smoother, first);
  smoother.Reset();
  Smooth(smoother, second);
  EXPECT_EQ(second, Filled(0.6f));
}

TEST(MaskSmoother, ARegionWithoutPixelsSmoothsNothing) {
  MaskSmoother smoother;
  auto first = Filled(0.2f), second = Filled(0.6f);
  Smooth(smoother, first);
  Smooth(smoother, second, {});
  EXPECT_EQ(second, Filled(0.6f));
}

TEST(MaskSmoother, AMaskMakesNoHeapCall) {
  MaskSmoother smoother;
  auto values = Filled(0.4f);
  const auto before = HeapCalls();
  for (int i = 0; i < 3; ++i) Smooth(smoother, values);
  smoother.Reset();
  Smooth(smoother, values);
  EXPECT_EQ(HeapCalls() - before, 0u);
}

}  // namespace
}  // namespace holostat::vision
