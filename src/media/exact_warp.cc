#include "media/exact_warp.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/check.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holostat::media {
namespace {

struct Scale {
  float factor;
  float low;
};

bool IsInPicture(const ImageView& source, double x, double y) {
  // Written so that NaN fails.
  return x >= -0.5 && y >= -0.5 && x <= source.width - 0.5 && y <= source.height - 0.5;
}

// NaN fails both comparisons of std::min and becomes the upper end.
double Clamp(double value, int last) {
  return std::max(0.0, std::min(static_cast<double>(last), value));
}

// The pixel left of and above a position inside the picture, and how far on it lies.
struct Cell {
  int x, y;
  float fx, fy;
};

void SampleAnywhere(const ImageView& source, const Cell& at, const Scale& scale, float* out) {
  const std::ptrdiff_t left = std::ptrdiff_t{at.x} * 3;
  const std::ptrdiff_t right = std::ptrdiff_t{std::min(at.x + 1, source.width - 1)} * 3;
  const std::uint8_t* upper = source.row(at.y);
  const std::uint8_t* lower = source.row(std::min(at.y + 1, source.height - 1));
  for (int c = 0; c < 3; ++c) {
    const float a = static_cast<float>(upper[left + c]);
    const float b = static_cast<float>(upper[right + c]);
    const float d = static_cast<float>(lower[left + c]);
    const float e = static_cast<float>(lower[right + c]);
    const float above = a + (b - a) * at.fx;
    const float below = d + (e - d) * at.fx;
    out[c] = (above + (below - above) * at.fy) * scale.factor + scale.low;
  }
}

#if defined(__SSE2__)
// Two pixels are needed in both rows, eight bytes are read, so a third pixel must follow.
bool HasEightBytes(const ImageView& source, const Cell& at) {
  return at.x < source.width - 2 && at.y < source.height - 1;
}

void SampleEightBytes(const ImageView& source, const Cell& at, const Scale& scale, float* out) {
  const std::uint8_t* upper = source.row(at.y) + std::ptrdiff_t{at.x} * 3;
  const __m128i zero = _mm_setzero_si128();
  const __m128 fx = _mm_set1_ps(at.fx);
  const auto across = [&](const std::uint8_t* p) {
    std::int64_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    const __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi64_si128(bytes), zero);
    const __m128 left = _mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero));
    const __m128 right = _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_srli_si128(wide, 6), zero));
    return _mm_add_ps(left, _mm_mul_ps(_mm_sub_ps(right, left), fx));
  };
  const __m128 above = across(upper);
  const __m128 below = across(upper + source.stride_bytes);
  const __m128 value = _mm_add_ps(above, _mm_mul_ps(_mm_sub_ps(below, above), _mm_set1_ps(at.fy)));
  const __m128 scaled =
      _mm_add_ps(_mm_mul_ps(value, _mm_set1_ps(scale.factor)), _mm_set1_ps(scale.low));
  const std::int64_t red_green = _mm_cvtsi128_si64(_mm_castps_si128(scaled));
  std::memcpy(out, &red_green, sizeof red_green);
  _mm_store_ss(out + 2, _mm_movehl_ps(scaled, scaled));
}
#endif

void Sample(const ImageView& source, double x, double y, const Scale& scale, float* out) {
  x = Clamp(x, source.width - 1);
  y = Clamp(y, source.height - 1);
  Cell at{static_cast<int>(x), static_cast<int>(y), 0, 0};
  at.fx = static_cast<float>(x - at.x);
  at.fy = static_cast<float>(y - at.y);
#if defined(__SSE2__)
  if (HasEightBytes(source, at)) return SampleEightBytes(source, at, scale, out);
#endif
  SampleAnywhere(source, at, scale, out);
}

}  // namespace

void ExactWarpToTensor(const ImageView& source, const Affine& m, Border border,
                       const TensorTarget& target) {
  HOLO_CHECK(target.width >= 0 && target.height >= 0);
  HOLO_CHECK(target.values.size() ==
             static_cast<std::size_t>(target.width) * static_cast<std::size_t>(target.height) * 3);
  const Scale scale{(target.high - target.low) / 255, target.low};
  if (source.empty()) {
    std::fill(target.values.begin(), target.values.end(), target.low);
    return;
  }
  float* out = target.values.data();
  for (int j = 0; j < target.height; ++j) {
    const double row_x = m[1] * j + m[2];
    const double row_y = m[4] * j + m[5];
    for (int i = 0; i < target.width; ++i, out += 3) {
      const double x = m[0] * i + row_x;
      const double y = m[3] * i + row_y;
      if (border == Border::kZero && !IsInPicture(source, x, y)) {
        std::fill_n(out, 3, target.low);
      } else {
        Sample(source, x, y, scale, out);
      }
    }
  }
}

}  // namespace holostat::media
