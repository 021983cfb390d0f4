#include "holostat/image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace holostat {
namespace {

TEST(Image, BeginsBlack) {
  const Image image(3, 2);
  EXPECT_EQ(image.stride_bytes(), 9);
  EXPECT_EQ(std::count(image.row(0), image.row(0) + 18, 0), 18);
}

TEST(Image, IsEmptyOnceItsPixelsAreMovedAway) {
  Image image(3, 2);
  image.row(1)[8] = 7;
  Image built = std::move(image);
  // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): it is what is tested
  EXPECT_EQ(image.width(), 0);
  EXPECT_EQ(image.height(), 0);
  EXPECT_TRUE(image.view().empty());
  Image assigned(1, 1);
  assigned = std::move(built);
  EXPECT_TRUE(built.view().empty());
  // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_EQ(assigned.height(), 2);
  EXPECT_EQ(assigned.row(1)[8], 7);
}

TEST(Image, CopiesItsPixels) {
  Image image(3, 2);
  const Image copy = image;
  image.row(0)[0] = 7;
  EXPECT_EQ(copy.row(0)[0], 0);
}

TEST(Image, WithoutAnAreaItsViewIsEmpty) {
  EXPECT_TRUE(Image().view().empty());
  EXPECT_TRUE(Image(0, 5).view().empty());
  EXPECT_TRUE(Image(5, 0).view().empty());
}

}  // namespace
}  // namespace holostat
