#include "holostat/picture.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "base/read_file.h"
#include "media/codec.h"

namespace holostat {
namespace media {
namespace {

using Bytes = std::span<const std::uint8_t>;

// A format is known by its first bytes; '?' in a signature stands for any byte.
struct Format {
  std::string_view name;
  std::string_view signature;
  Result<Image> (*decode)(Bytes bytes, const PictureLimits& limits);
};

constexpr Format kFormats[] = {
    {"JPEG", "\xFF\xD8\xFF", DecodeJpeg}, {"PNG", "\x89PNG\r\n\x1A\n", DecodePng},
    {"WebP", "RIFF????WEBP", DecodeWebp}, {"GIF", "GIF87a", DecodeGif},
    {"GIF", "GIF89a", DecodeGif},
};

// How many of the signature's bytes were there and right, or 0 when one was wrong.
std::size_t MatchedBytes(std::string_view signature, Bytes bytes) {
  const std::size_t count = std::min(signature.size(), bytes.size());
  for (std::size_t k = 0; k < count; ++k)
    if (signature[k] != '?' && static_cast<std::uint8_t>(signature[k]) != bytes[k]) return 0;
  return count;
}

Result<Image> DecodeKnown(Bytes bytes, const PictureLimits& limits) {
  bool is_beginning = false;
  for (const Format& format : kFormats) {
    const std::size_t matched = MatchedBytes(format.signature, bytes);
    if (matched == format.signature.size())
      return HOLO_TRY_CONTEXT(format.decode(bytes, limits), fmt::format("{} picture", format.name));
    is_beginning = is_beginning || matched > 0;
  }
  if (is_beginning)
    return Fail(ErrorCode::kCorruptData,
                fmt::format("the picture ends after {} bytes, inside its signature", bytes.size()));
  return Fail(ErrorCode::kUnsupported,
              "the bytes are no picture of a known type: JPEG, PNG, WebP and GIF are supported");
}

}  // namespace

Result<void> CheckSize(std::uint64_t width, std::uint64_t height, const PictureLimits& limits) {
  if (width == 0 || height == 0)
    return Fail(ErrorCode::kCorruptData, fmt::format("its size is {} x {}", width, height));
  if (width > kMaxSide || height > kMaxSide)
    return Fail(
        ErrorCode::kLimitExceeded,
        fmt::format("its size is {} x {}, a side may have {} pixels", width, height, kMaxSide));
  if (width * height > limits.max_pixels)
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("its size is {} x {}, the limit is {} pixels", width, height,
                            limits.max_pixels));
  return {};
}

}  // namespace media

Result<Image> DecodePicture(std::span<const std::uint8_t> bytes, const PictureLimits& limits) {
  if (bytes.empty()) return Fail(ErrorCode::kCorruptData, "the picture is empty: 0 bytes");
  if (bytes.size() > limits.max_bytes)
    return Fail(ErrorCode::kLimitExceeded, fmt::format("the picture has {} bytes, the limit is {}",
                                                       bytes.size(), limits.max_bytes));
  try {
    return media::DecodeKnown(bytes, limits);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kOverloaded, "there is not enough memory to decode the picture");
  }
}

Result<Image> ReadPicture(const std::filesystem::path& path, const PictureLimits& limits) {
  // Not a mapping: whoever may write to the file could change or cut it under the decoder.
  const std::vector<std::uint8_t> bytes = HOLO_TRY(ReadFile(path, limits.max_bytes));
  return HOLO_TRY_CONTEXT(DecodePicture(bytes, limits), path.string());
}

}  // namespace holostat
