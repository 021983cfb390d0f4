#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "holostat/image.h"

namespace holostat::media {

// A borrowed single-channel 8-bit picture.
struct GreyView {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride_bytes = 0;
};

// Encoders give the bytes of a whole file. Errors: kInvalidArgument for an empty picture,
// kLimitExceeded for one the format cannot hold (JPEG: 65500 pixels a side, PNG: 1000000).
Result<std::vector<std::uint8_t>> EncodePng(const ImageView& image);
Result<std::vector<std::uint8_t>> EncodePng(const GreyView& image);
// `quality` 1..100; 4:2:0 chroma below 90, 4:4:4 from there.
Result<std::vector<std::uint8_t>> EncodeJpeg(const ImageView& image, int quality);

}  // namespace holostat::media
