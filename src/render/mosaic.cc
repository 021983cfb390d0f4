#include "render/mosaic.h"

#include <algorithm>
#include <array>

namespace holostat::render {
namespace {

constexpr int kAcross = 24;

}  // namespace

void DrawMosaic(Image& image) {
  const int side = std::max((std::max(image.width(), image.height()) + kAcross - 1) / kAcross, 1);
  for (int top = 0; top < image.height(); top += side) {
    const int bottom = std::min(top + side, image.height());
    for (int left = 0; left < image.width(); left += side) {
      const int right = std::min(left + side, image.width());
      std::array<std::uint64_t, 3> sum{};
      for (int y = top; y < bottom; ++y) {
        for (const std::uint8_t* p = image.row(y) + 3 * left; p < image.row(y) + 3 * right;
             p += 3) {
          for (std::size_t c = 0; c < 3; ++c) sum[c] += p[c];
        }
      }
      const auto count =
          static_cast<std::uint64_t>(bottom - top) * static_cast<std::uint64_t>(right - left);
      for (int y = top; y < bottom; ++y) {
        for (std::uint8_t* p = image.row(y) + 3 * left; p < image.row(y) + 3 * right; p += 3) {
          for (std::size_t c = 0; c < 3; ++c) p[c] = static_cast<std::uint8_t>(sum[c] / count);
        }
      }
    }
  }
}

}  // namespace holostat::render
