#include "media/orient.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace holostat::media {
namespace {

using Pixel = std::array<std::uint8_t, 3>;
static_assert(sizeof(Pixel) == 3 && alignof(Pixel) == 1);

Pixel* PixelRow(Image& image, int y) { return reinterpret_cast<Pixel*>(image.row(y)); }

void MirrorColumns(Image& image) {
  for (int y = 0; y < image.height(); ++y) {
    Pixel* row = PixelRow(image, y);
    std::reverse(row, row + image.width());
  }
}

void MirrorRows(Image& image) {
  for (int upper = 0, lower = image.height() - 1; upper < lower; ++upper, --lower)
    std::swap_ranges(image.row(upper), image.row(upper) + image.stride_bytes(), image.row(lower));
}

// In tiles, so that both pictures stay in the cache: a phone's photo is turned this way.
Image Transpose(const Image& stored) {
  constexpr int kTile = 32;
  Image upright(stored.height(), stored.width());
  for (int top = 0; top < stored.height(); top += kTile) {
    const int bottom = std::min(top + kTile, stored.height());
    for (int left = 0; left < stored.width(); left += kTile) {
      const int right = std::min(left + kTile, stored.width());
      for (int x = left; x < right; ++x) {
        std::uint8_t* out = upright.row(x);
        for (int y = top; y < bottom; ++y)
          std::memcpy(out + std::ptrdiff_t{y} * 3, stored.row(y) + std::ptrdiff_t{x} * 3, 3);
      }
    }
  }
  return upright;
}

}  // namespace

Image Orient(Image stored, Orientation orientation) {
  using enum Orientation;
  // The last four are the first four on the transposed picture.
  Image image = orientation >= kLeftTop ? Transpose(stored) : std::move(stored);
  const bool columns = orientation == kTopRight || orientation == kBottomRight ||
                       orientation == kRightTop || orientation == kRightBottom;
  const bool rows = orientation == kBottomRight || orientation == kBottomLeft ||
                    orientation == kRightBottom || orientation == kLeftBottom;
  if (columns) MirrorColumns(image);
  if (rows) MirrorRows(image);
  return image;
}

}  // namespace holostat::media
