#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "holostat/picture.h"

namespace holostat::media {

// The longest side any picture may have: what ImageView's users are tested for.
inline constexpr std::uint32_t kMaxSide = 65535;

// The check every codec makes between reading a header and spending memory on pixels.
// Errors: kCorruptData for an empty picture, kLimitExceeded for one over a limit.
Result<void> CheckSize(std::uint64_t width, std::uint64_t height, const PictureLimits& limits);

// One function a format, each in the file of its name. `bytes` begin with the signature of the
// format. The result is upright RGB; errors are those of DecodePicture. They may throw
// std::bad_alloc, nothing else; none of them prints.
Result<Image> DecodeJpeg(std::span<const std::uint8_t> bytes, const PictureLimits& limits);
Result<Image> DecodePng(std::span<const std::uint8_t> bytes, const PictureLimits& limits);
Result<Image> DecodeWebp(std::span<const std::uint8_t> bytes, const PictureLimits& limits);
Result<Image> DecodeGif(std::span<const std::uint8_t> bytes, const PictureLimits& limits);

// Integers at `offset`, in the order the formats store them. REQUIRES: they lie inside `bytes`.
inline std::uint32_t BigEndian16(std::span<const std::uint8_t> bytes, std::size_t offset) {
  return std::uint32_t{bytes[offset]} << 8 | bytes[offset + 1];
}
inline std::uint32_t BigEndian32(std::span<const std::uint8_t> bytes, std::size_t offset) {
  return BigEndian16(bytes, offset) << 16 | BigEndian16(bytes, offset + 2);
}

}  // namespace holostat::media
