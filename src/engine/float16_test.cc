#include "engine/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holostat::engine {
namespace {

TEST(Float16ToFloat32, KnowsTheLandmarksOfTheFormat) {
  EXPECT_EQ(Float16ToFloat32(0x3C00), 1.0F);
  EXPECT_EQ(Float16ToFloat32(0xC000), -2.0F);
  EXPECT_EQ(Float16ToFloat32(0x3555), 0.333251953125F);
  EXPECT_EQ(Float16ToFloat32(0x7BFF), 65504.0F);  // the largest
  EXPECT_EQ(Float16ToFloat32(0x0400), 0x1p-14F);  // the smallest normal
  EXPECT_EQ(Float16ToFloat32(0x03FF), 1023 * 0x1p-24F);
  EXPECT_EQ(Float16ToFloat32(0x0001), 0x1p-24F);  // the smallest
}

TEST(Float16ToFloat32, KeepsTheSignOfZero) {
  EXPECT_FALSE(std::signbit(Float16ToFloat32(0x0000)));
  EXPECT_TRUE(std::signbit(Float16ToFloat32(0x8000)));
}

TEST(Float16ToFloat32, KeepsInfinityAndNaN) {
  EXPECT_EQ(Float16ToFloat32(0x7C00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Float16ToFloat32(0xFC00), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(Float16ToFloat32(0x7E01)));
}

TEST(Float16ToFloat32, RisesWithTheBits) {
  for (std::uint16_t bits = 0; bits < 0x7C00; ++bits) {
    ASSERT_LT(Float16ToFloat32(bits), Float16ToFloat32(static_cast<std::uint16_t>(bits + 1)));
  }
}

}  // namespace
}  // namespace holostat::engine
