#pragma once

#include <bit>
#include <cstdint>

namespace holostat::engine {

// The value of an IEEE 754 half-precision number, from its bits. Exact, NaN payloads included.
inline float Float16ToFloat32(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24, exact in float
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  // Infinity and NaN have all exponent bits set in both formats.
  const std::uint32_t wide_exponent = exponent == 0x1FU ? 0xFFU : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

}  // namespace holostat::engine
