#include "media/warp.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holostat::media {
namespace {

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

void SampleAnywhere(const ImageView& source, const Cell& at, const SampleScale& scale, float* out) {
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
    out[c] = scale(above + (below - above) * at.fy);
  }
}

#if defined(__SSE2__)
// Samples positions around which eight bytes can be read in two rows although two pixels have six:
// a third pixel follows. Both coordinates of a position go through one register.
class InnerSampler {
 public:
  InnerSampler(const ImageView& source, const SampleScale& scale)
      : source_(source),
        end_(_mm_set_pd(source.height - 1, source.width - 2)),
        factor_(_mm_set1_ps(scale.factor)),
        low_(_mm_set1_ps(scale.low)) {}

  // Says whether (x, y) is such a position; if not, nothing is written.
  bool Sample(__m128d xy, float* out) const {
    const __m128d inside = _mm_and_pd(_mm_cmpge_pd(xy, _mm_setzero_pd()), _mm_cmplt_pd(xy, end_));
    if (_mm_movemask_pd(inside) != 3) return false;
    const __m128i cell = _mm_cvttpd_epi32(xy);
    const __m128 share = _mm_cvtpd_ps(_mm_sub_pd(xy, _mm_cvtepi32_pd(cell)));
    const std::int64_t column_row = _mm_cvtsi128_si64(cell);
    const auto column = static_cast<std::int32_t>(column_row);
    const auto row = static_cast<std::int32_t>(column_row >> 32);
    const std::uint8_t* upper = source_.row(row) + std::ptrdiff_t{column} * 3;
    const __m128 share_x = _mm_shuffle_ps(share, share, _MM_SHUFFLE(0, 0, 0, 0));
    const __m128 share_y = _mm_shuffle_ps(share, share, _MM_SHUFFLE(1, 1, 1, 1));
    const __m128 above = Across(upper, share_x);
    const __m128 below = Across(upper + source_.stride_bytes, share_x);
    const __m128 value = _mm_add_ps(above, _mm_mul_ps(_mm_sub_ps(below, above), share_y));
    Store(_mm_add_ps(_mm_mul_ps(value, factor_), low_), out);
    return true;
  }

 private:
  static __m128 Across(const std::uint8_t* pixels, __m128 share) {
    std::int64_t bytes = 0;
    std::memcpy(&bytes, pixels, sizeof bytes);
    const __m128i zero = _mm_setzero_si128();
    const __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi64_si128(bytes), zero);
    const __m128 left = _mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero));
    const __m128 right = _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_srli_si128(wide, 6), zero));
    return _mm_add_ps(left, _mm_mul_ps(_mm_sub_ps(right, left), share));
  }

  static void Store(__m128 color, float* out) {
    const std::int64_t red_green = _mm_cvtsi128_si64(_mm_castps_si128(color));
    std::memcpy(out, &red_green, sizeof red_green);
    _mm_store_ss(out + 2, _mm_movehl_ps(color, color));
  }

  const ImageView source_;
  const __m128d end_;
  const __m128 factor_, low_;
};
#endif

Cell CellOf(double x, double y) {
  Cell at{static_cast<int>(x), static_cast<int>(y), 0, 0};
  at.fx = static_cast<float>(x - at.x);
  at.fy = static_cast<float>(y - at.y);
  return at;
}

void SampleNearEdge(const ImageView& source, double x, double y, Border border,
                    const SampleScale& scale, float* out) {
  if (border == Border::kZero && !IsInPicture(source, x, y)) {
    std::fill_n(out, 3, scale.low);
    return;
  }
  const Cell at = CellOf(Clamp(x, source.width - 1), Clamp(y, source.height - 1));
  SampleAnywhere(source, at, scale, out);
}

}  // namespace

void WarpToTensor(const ImageView& source, const Affine& m, Border border,
                  const TensorTarget& target) {
  if (!BeginWarp(source, target)) return;
  const SampleScale scale(target);
#if defined(__SSE2__)
  const InnerSampler inner(source, scale);
#endif
  float* out = target.values.data();
  for (int j = 0; j < target.height; ++j) {
    const double row_x = m[1] * j + m[2];
    const double row_y = m[4] * j + m[5];
    for (int i = 0; i < target.width; ++i, out += 3) {
      const double x = m[0] * i + row_x;
      const double y = m[3] * i + row_y;
#if defined(__SSE2__)
      if (inner.Sample(_mm_set_pd(y, x), out)) [[likely]]
        continue;
#endif
      SampleNearEdge(source, x, y, border, scale, out);
    }
  }
}

}  // namespace holostat::media
