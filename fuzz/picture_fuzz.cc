// Any bytes through DecodePicture, with limits small enough for thousands of runs a second.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <zlib.h>

#include "holostat/picture.h"

namespace {

constexpr holostat::PictureLimits kLimits{.max_bytes = 1u << 20, .max_pixels = 1u << 20};

// A decoded picture keeps its promises, and reads of all its bytes are checked by the sanitizer.
void Check(const holostat::Image& image) {
  const auto width = static_cast<std::size_t>(image.width());
  const auto height = static_cast<std::size_t>(image.height());
  if (width == 0 || height == 0 || width * height > kLimits.max_pixels) std::abort();
  const std::uint8_t* pixels = image.row(0);
  unsigned sum = 0;
  for (std::size_t k = 0; k < width * height * 3; ++k) sum += pixels[k];
  volatile unsigned sink = sum;
  static_cast<void>(sink);
}

// Mutated chunks would all fail on their checksums and nothing behind those would be reached.
void RepairPngChecksums(std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kSignature = "\x89PNG\r\n\x1A\n";
  if (size < kSignature.size() || std::memcmp(data, kSignature.data(), kSignature.size()) != 0)
    return;
  for (std::size_t at = kSignature.size(); size - at >= 12;) {
    const std::size_t length = std::size_t{data[at]} << 24 | std::size_t{data[at + 1]} << 16 |
                               std::size_t{data[at + 2]} << 8 | data[at + 3];
    if (size - at - 12 < length) return;
    const uLong checksum = crc32(0, data + at + 4, static_cast<uInt>(length + 4));
    for (int k = 0; k < 4; ++k)
      data[at + 8 + length + static_cast<std::size_t>(k)] =
          static_cast<std::uint8_t>(checksum >> (24 - 8 * k));
    at += 12 + length;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  RepairPngChecksums(data, mutated);
  return mutated;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto image = holostat::DecodePicture({data, size}, kLimits);
  if (image) Check(*image);
  return 0;
}
