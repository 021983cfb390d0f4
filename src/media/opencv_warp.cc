#include "media/opencv_warp.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holostat::media {
namespace {

// OpenCV's INTER_BITS: positions are multiples of 1/32 pixel.
constexpr int kFractionBits = 5;
constexpr int kFractionOne = 1 << kFractionBits;
constexpr int kFractionMask = kFractionOne - 1;

// OpenCV walks the destination in blocks of about 1024 pixels and adds the offset inside the block
// to the position of its first column, which decides the last bit of a double. The widest block is
// 1024 pixels (a destination of one row).
constexpr int kBlockRows = 16;
constexpr int kBlockPixels = 1024;

// Source positions of one run of destination pixels, in 1/32 pixel.
struct Positions {
  std::array<std::int32_t, kBlockPixels> x;
  std::array<std::int32_t, kBlockPixels> y;
};

// Rounds half to even, like cvRound, in one addition: 1.5 * 2^52 leaves no bits for a fraction and
// keeps the integer in the low half of the double's bit pattern. NaN fails both comparisons of
// std::min and becomes the upper end.
std::int32_t RoundSaturated(double value) {
  constexpr double kMagic = 6755399441055744.0;
  value = std::max(-2147483648.0, std::min(2147483647.0, value));
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value + kMagic)));
}

// Positions start + step * k in 1/32 pixel.
void Locate(double start, double step, int count, std::int32_t* out) {
  for (int k = 0; k < count; ++k) out[k] = RoundSaturated((start + step * k) * kFractionOne);
}

// The pixel of one tap: clamped to the source, or black outside of it.
const std::uint8_t* TapAt(const ImageView& source, Border border, int x, int y) {
  static constexpr std::uint8_t kBlack[3] = {};
  const int column = std::clamp(x, 0, source.width - 1);
  const int row = std::clamp(y, 0, source.height - 1);
  if (border == Border::kZero && (column != x || row != y)) return kBlack;
  return source.row(row) + std::ptrdiff_t{column} * 3;
}

// One sample near or beyond the edge.
void SampleAtBorder(const ImageView& source, Border border, std::int32_t px, std::int32_t py,
                    const SampleScale& scale, float* out) {
  const int x = px >> kFractionBits;
  const int y = py >> kFractionBits;
  if (border == Border::kZero && (x < -1 || y < -1 || x >= source.width || y >= source.height)) {
    out[0] = out[1] = out[2] = scale.low;
    return;
  }
  const int fx = px & kFractionMask;
  const int fy = py & kFractionMask;
  const std::uint8_t* upper_left = TapAt(source, border, x, y);
  const std::uint8_t* upper_right = TapAt(source, border, x + 1, y);
  const std::uint8_t* lower_left = TapAt(source, border, x, y + 1);
  const std::uint8_t* lower_right = TapAt(source, border, x + 1, y + 1);
  for (int c = 0; c < 3; ++c) {
    const int left = upper_left[c] * (kFractionOne - fy) + lower_left[c] * fy;
    const int right = upper_right[c] * (kFractionOne - fy) + lower_right[c] * fy;
    out[c] = scale(static_cast<float>((left * (kFractionOne - fx) + right * fx + 512) >> 10));
  }
}

// One sample whose eight bytes from the first tap on, in both rows, lie inside the source.
#if defined(__SSE2__)
inline void SampleInside(const ImageView& source, std::int32_t px, std::int32_t py,
                         const SampleScale& scale, float* out) {
  const std::uint8_t* upper =
      source.row(py >> kFractionBits) + std::ptrdiff_t{px >> kFractionBits} * 3;
  const std::uint8_t* lower = upper + source.stride_bytes;
  const int fx = px & kFractionMask;
  const int fy = py & kFractionMask;
  const __m128i zero = _mm_setzero_si128();
  const auto load = [&](const std::uint8_t* p) {
    std::int64_t bytes = 0;
    std::memcpy(&bytes, p, sizeof bytes);
    return _mm_unpacklo_epi8(_mm_cvtsi64_si128(bytes), zero);
  };
  // Down first (at most 255 * 32, so 16 bits hold it), then across: r0 r1 g0 g1 b0 b1 in pairs.
  const __m128i down = _mm_add_epi16(
      _mm_mullo_epi16(load(upper), _mm_set1_epi16(static_cast<short>(kFractionOne - fy))),
      _mm_mullo_epi16(load(lower), _mm_set1_epi16(static_cast<short>(fy))));
  const __m128i pairs = _mm_unpacklo_epi16(down, _mm_srli_si128(down, 6));
  const __m128i sums = _mm_madd_epi16(pairs, _mm_set1_epi32((fx << 16) | (kFractionOne - fx)));
  const __m128i values = _mm_srli_epi32(_mm_add_epi32(sums, _mm_set1_epi32(512)), 10);
  const __m128 scaled = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(values), _mm_set1_ps(scale.factor)),
                                   _mm_set1_ps(scale.low));
  const std::int64_t red_green = _mm_cvtsi128_si64(_mm_castps_si128(scaled));
  std::memcpy(out, &red_green, sizeof red_green);
  _mm_store_ss(out + 2, _mm_movehl_ps(scaled, scaled));
}
#else
inline void SampleInside(const ImageView& source, std::int32_t px, std::int32_t py,
                         const SampleScale& scale, float* out) {
  const std::uint8_t* upper =
      source.row(py >> kFractionBits) + std::ptrdiff_t{px >> kFractionBits} * 3;
  const std::uint8_t* lower = upper + source.stride_bytes;
  const int fx = px & kFractionMask;
  const int fy = py & kFractionMask;
  for (int c = 0; c < 3; ++c) {
    const int left = upper[c] * (kFractionOne - fy) + lower[c] * fy;
    const int right = upper[c + 3] * (kFractionOne - fy) + lower[c + 3] * fy;
    out[c] = scale(static_cast<float>((left * (kFractionOne - fx) + right * fx + 512) >> 10));
  }
}
#endif

// Whether SampleInside may be used: two pixels are needed, eight bytes are read, so a third one.
bool IsInside(const ImageView& source, std::int32_t px, std::int32_t py) {
  const int x = px >> kFractionBits;
  const int y = py >> kFractionBits;
  return x >= 0 && y >= 0 && x < source.width - 2 && y < source.height - 1;
}

// Positions along a run are monotonic in both coordinates, so the inside is one interval of it.
void SampleRun(const ImageView& source, Border border, const Positions& at, int count,
               const SampleScale& scale, float* out) {
  int begin = 0;
  while (begin < count && !IsInside(source, at.x[begin], at.y[begin])) ++begin;
  int end = count;
  while (end > begin && !IsInside(source, at.x[end - 1], at.y[end - 1])) --end;

  int k = 0;
  for (; k < begin; ++k, out += 3) SampleAtBorder(source, border, at.x[k], at.y[k], scale, out);
  for (; k < end; ++k, out += 3) SampleInside(source, at.x[k], at.y[k], scale, out);
  for (; k < count; ++k, out += 3) SampleAtBorder(source, border, at.x[k], at.y[k], scale, out);
}

}  // namespace

void OpenCvWarpToTensor(const ImageView& source, const Affine& m, Border border,
                        const TensorTarget& target) {
  if (!BeginWarp(source, target)) return;
  const SampleScale scale(target);
  const int block_columns = kBlockPixels / std::min(kBlockRows, target.height);
  Positions at;
  float* out = target.values.data();
  for (int j = 0; j < target.height; ++j) {
    for (int i = 0; i < target.width; i += block_columns) {
      const int count = std::min(block_columns, target.width - i);
      Locate(m[0] * i + m[1] * j + m[2], m[0], count, at.x.data());
      Locate(m[3] * i + m[4] * j + m[5], m[3], count, at.y.data());
      SampleRun(source, border, at, count, scale, out);
      out += std::ptrdiff_t{count} * 3;
    }
  }
}

}  // namespace holostat::media
