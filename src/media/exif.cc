#include "media/exif.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace holostat::media {
namespace {

constexpr std::uint8_t kPrefix[] = {'E', 'x', 'i', 'f', 0, 0};
constexpr std::uint32_t kOrientationTag = 0x0112;
constexpr std::uint32_t kShort = 3;  // TIFF type: 16 bit
constexpr std::size_t kEntryBytes = 12;

// Reads integers of the block's byte order; what lies outside the block is absent.
class TiffReader {
 public:
  TiffReader(std::span<const std::uint8_t> bytes, bool little_endian)
      : bytes_(bytes), little_endian_(little_endian) {}

  std::optional<std::uint32_t> Read(std::uint64_t offset, std::size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < size; ++k)
      value = value << 8 | bytes_[offset + (little_endian_ ? size - 1 - k : k)];
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool little_endian_;
};

// The value of the orientation entry in the first directory.
std::optional<std::uint32_t> FindOrientation(const TiffReader& tiff) {
  if (tiff.Read(2, 2) != 42u) return std::nullopt;
  const auto directory = tiff.Read(4, 4);
  if (!directory) return std::nullopt;
  const auto count = tiff.Read(*directory, 2);
  if (!count) return std::nullopt;
  for (std::uint32_t k = 0; k < *count; ++k) {
    const std::uint64_t entry = std::uint64_t{*directory} + 2 + k * kEntryBytes;
    const auto tag = tiff.Read(entry, 2);
    if (!tag) return std::nullopt;
    if (*tag != kOrientationTag) continue;
    if (tiff.Read(entry + 2, 2) != kShort || tiff.Read(entry + 4, 4) != 1u) return std::nullopt;
    return tiff.Read(entry + 8, 2);
  }
  return std::nullopt;
}

}  // namespace

Orientation ExifOrientation(std::span<const std::uint8_t> exif) {
  if (exif.size() >= sizeof kPrefix &&
      std::equal(std::begin(kPrefix), std::end(kPrefix), exif.begin()))
    exif = exif.subspan(sizeof kPrefix);
  if (exif.size() < 8 || exif[0] != exif[1] || (exif[0] != 'I' && exif[0] != 'M'))
    return Orientation::kTopLeft;
  const auto value = FindOrientation(TiffReader(exif, exif[0] == 'I'));
  if (!value || *value < 1 || *value > 8) return Orientation::kTopLeft;
  return static_cast<Orientation>(*value);
}

}  // namespace holostat::media
