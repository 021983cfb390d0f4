#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "holostat/api.h"
#include "holostat/image.h"
#include "holostat/result.h"

namespace holostat {

// Limits decided from the header of a file, before memory is spent on its pixels.
struct PictureLimits {
  std::size_t max_bytes = 32u << 20;    // encoded size
  std::size_t max_pixels = 64'000'000;  // width * height of the decoded picture
};

// Decodes a JPEG, PNG, WebP or GIF into upright 8-bit RGB: the EXIF orientation is applied, grey,
// palette, 16-bit and CMYK are converted, alpha is dropped, animated files give their first frame
// (docs/pictures.md says what becomes of each variant).
//
// Errors: kCorruptData (empty, truncated, damaged), kUnsupported (a type it does not know, or a
// variant of a known one), kLimitExceeded (bytes, pixels, a side over 65535, or more decoding work
// than a sane file asks for), kOverloaded (no memory), kInternal (a codec library of another
// version than this was built for). Prints nothing, throws nothing. Thread-safe: no shared state.
HOLO_API Result<Image> DecodePicture(std::span<const std::uint8_t> bytes,
                                     const PictureLimits& limits = {});

// Reads a regular file and decodes it. Adds kNotFound and kUnavailable (cannot be opened or read,
// or no regular file; it never waits for a pipe) to the errors of DecodePicture. Reads the file
// once, at most `limits.max_bytes` of it, into memory that is freed before it returns; the file may
// change meanwhile. Messages name the path.
HOLO_API Result<Image> ReadPicture(const std::filesystem::path& path,
                                   const PictureLimits& limits = {});

}  // namespace holostat
