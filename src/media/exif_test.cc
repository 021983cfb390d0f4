#include "media/exif.h"

#include <gtest/gtest.h>

#include "media/test_pictures.h"

namespace holostat::media {
namespace {

using test::Bytes;

int OrientationOf(const Bytes& bytes) { return static_cast<int>(ExifOrientation(bytes)); }

TEST(ExifOrientation, IsReadInEitherByteOrder) {
  for (int value = 1; value <= 8; ++value) {
    EXPECT_EQ(OrientationOf(test::ExifBlock(value, true)), value);
    EXPECT_EQ(OrientationOf(test::ExifBlock(value, false)), value);
  }
}

TEST(ExifOrientation, MayFollowTheJpegPrefix) {
  Bytes bytes = {'E', 'x', 'i', 'f', 0, 0};
  test::Append(bytes, test::ExifBlock(6, false));
  EXPECT_EQ(OrientationOf(bytes), 6);
}

TEST(ExifOrientation, ValuesOutsideOneToEightAreUpright) {
  for (const int value : {0, 9, 255, 65535})
    EXPECT_EQ(OrientationOf(test::ExifBlock(value, true)), 1);
}

TEST(ExifOrientation, TruncatedBlocksAreUpright) {
  const Bytes whole = test::ExifBlock(6, true);
  const std::size_t value_end = whole.size() - 6;  // padding of the entry, next directory
  for (std::size_t size = 0; size < value_end; ++size)
    EXPECT_EQ(
        OrientationOf(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))), 1)
        << size;
}

TEST(ExifOrientation, DamagedBlocksAreUpright) {
  const Bytes whole = test::ExifBlock(6, true);
  const auto with = [&](std::size_t at, Bytes values) {
    Bytes bytes = whole;
    std::copy(values.begin(), values.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return OrientationOf(bytes);
  };
  EXPECT_EQ(with(0, {'I', 'M'}), 1);                // no byte order
  EXPECT_EQ(with(2, {43}), 1);                      // not TIFF
  EXPECT_EQ(with(4, {0xFF, 0xFF, 0xFF, 0xFF}), 1);  // directory outside
  EXPECT_EQ(with(4, {0xFE, 0xFF, 0xFF, 0x7F}), 1);
  EXPECT_EQ(with(24, {4}), 1);          // another type
  EXPECT_EQ(with(26, {2}), 1);          // two values
  EXPECT_EQ(with(8, {1, 0}), 1);        // the directory ends before the entry
  EXPECT_EQ(with(8, {0xFF, 0xFF}), 6);  // a directory that claims more is still read
}

}  // namespace
}  // namespace holostat::media
