#pragma once

#include <cstdint>
#include <span>

namespace holostat::media {

// How the stored rows lie in the upright picture: the values of the EXIF tag 0x0112, which name
// where the first stored row and column are to be seen.
enum class Orientation : std::uint8_t {
  kTopLeft = 1,  // upright as stored
  kTopRight,     // mirrored left to right
  kBottomRight,  // turned by 180 degrees
  kBottomLeft,   // mirrored top to bottom
  kLeftTop,      // transposed
  kRightTop,     // to be turned clockwise
  kRightBottom,  // transposed over the other diagonal
  kLeftBottom,   // to be turned counter-clockwise
};

// The orientation in an EXIF block: a TIFF header of either byte order, with or without "Exif\0\0"
// before it. Anything damaged or absent is kTopLeft: metadata never makes a picture unreadable.
Orientation ExifOrientation(std::span<const std::uint8_t> exif);

}  // namespace holostat::media
