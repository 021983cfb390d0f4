#include "media/av/turn.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace holostat::media::av {
namespace {

constexpr std::ptrdiff_t kPixelBytes = 3;
constexpr int kTile = 32;  // both pictures stay in the cache

// Where the upright picture's first pixel is stored, and how far apart there are stored a pixel and
// its right and lower neighbours.
struct Walk {
  const std::uint8_t* start;
  std::ptrdiff_t right, down;  // bytes
};

Walk WalkThrough(const ImageView& stored, Turn turn) {
  Walk walk{stored.data, kPixelBytes, stored.stride_bytes};
  if (turn.transpose) std::swap(walk.right, walk.down);
  const int width = turn.transpose ? stored.height : stored.width;
  const int height = turn.transpose ? stored.width : stored.height;
  if (turn.mirror_columns) {
    walk.start += walk.right * (width - 1);
    walk.right = -walk.right;
  }
  if (turn.mirror_rows) {
    walk.start += walk.down * (height - 1);
    walk.down = -walk.down;
  }
  return walk;
}

}  // namespace

Turn TurnOf(const std::int32_t* display_matrix) {
  // (x, y) stored is shown at (a x + c y, b x + d y).
  const std::int64_t a = display_matrix[0], b = display_matrix[1];
  const std::int64_t c = display_matrix[3], d = display_matrix[4];
  if (std::abs(a) >= std::abs(b)) return {false, a < 0, d < 0};
  return {true, c < 0, b < 0};
}

void TurnInto(const ImageView& stored, Turn turn, std::uint8_t* upright,
              std::ptrdiff_t stride_bytes) {
  const Walk walk = WalkThrough(stored, turn);
  const int width = turn.transpose ? stored.height : stored.width;
  const int height = turn.transpose ? stored.width : stored.height;
  for (int top = 0; top < height; top += kTile) {
    for (int left = 0; left < width; left += kTile) {
      for (int y = top; y < std::min(top + kTile, height); ++y) {
        std::uint8_t* out = upright + y * stride_bytes + left * kPixelBytes;
        const std::uint8_t* in = walk.start + y * walk.down + left * walk.right;
        for (int x = left; x < std::min(left + kTile, width); ++x) {
          std::memcpy(out, in, kPixelBytes);
          out += kPixelBytes;
          in += walk.right;
        }
      }
    }
  }
}

}  // namespace holostat::media::av
