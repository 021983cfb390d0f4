#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

// Encoders give the bytes of a whole file, as a string for those who send or embed it. Memory: at
// most three times those bytes, while the string grows. They print nothing and do not throw.
// Errors: kInvalidArgument for an empty picture or a wrong quality, kLimitExceeded for a picture
// the format cannot hold (JPEG: 65500 pixels a side, PNG: 1000000), kOverloaded without memory,
// kInternal for a codec library of another version than this was built for.
//
// A `comment`, if there is one, is kept in the file for people and programs to read: as the text
// "Comment" of a PNG, as the comment of a JPEG. REQUIRES: Latin-1 without NUL, at most 1000 bytes.
Result<std::string> EncodePng(const ImageView& image, std::string_view comment = {});
Result<std::string> EncodePng(const GreyView& image);
// `quality` 1..100; 4:2:0 chroma below 90, 4:4:4 from there.
Result<std::string> EncodeJpeg(const ImageView& image, int quality, std::string_view comment = {});

}  // namespace holostat::media
