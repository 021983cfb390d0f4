// PNG by libpng. As in jpeg.cc: one C-like function with a setjmp, state in a job that frees it.
#include <png.h>

#include <fmt/format.h>
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "media/codec.h"
#include "media/exif.h"
#include "media/orient.h"
#include "media/png_errors.h"

namespace holostat::media {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kChunkOverhead = 12;  // length, type, checksum
constexpr std::size_t kHeaderBytes = 13;

// What a walk over the chunks tells before libpng sees any of them.
struct Outline {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t bits_per_pixel = 0;
  std::uint64_t compressed_bytes = 0;  // of all IDAT
  Bytes exif;
};

std::uint32_t ChannelsOf(std::uint32_t color_type) {
  switch (color_type) {
    case PNG_COLOR_TYPE_GRAY_ALPHA:
      return 2;
    case PNG_COLOR_TYPE_RGB:
      return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA:
      return 4;
    default:
      return 1;
  }
}

// Follows the chunks to IEND. Checksums and colour types are left to libpng.
Result<Outline> ReadOutline(Bytes bytes) {
  Outline outline;
  std::size_t at = kSignatureBytes;
  for (bool is_first = true;; is_first = false) {
    if (bytes.size() - at < kChunkOverhead) return Fail(ErrorCode::kCorruptData, "it is truncated");
    const std::size_t length = BigEndian32(bytes, at);
    if (bytes.size() - at - kChunkOverhead < length)
      return Fail(ErrorCode::kCorruptData, "it is truncated");
    const Bytes type = bytes.subspan(at + 4, 4);
    const Bytes data = bytes.subspan(at + 8, length);
    const auto is = [&](std::string_view name) {
      return std::equal(type.begin(), type.end(), name.begin());
    };
    if (is_first) {
      if (!is("IHDR") || length != kHeaderBytes)
        return Fail(ErrorCode::kCorruptData, "it does not begin with a header");
      outline.width = BigEndian32(data, 0);
      outline.height = BigEndian32(data, 4);
      outline.bits_per_pixel = data[8] * ChannelsOf(data[9]);
    }
    if (is("IDAT")) outline.compressed_bytes += length;
    if (is("eXIf") && outline.exif.empty()) outline.exif = data;
    if (is("IEND")) return outline;
    at += kChunkOverhead + length;
  }
}

// Deflate packs at most 1032 bytes into one. A file that claims more is known to be damaged before
// its pixels get memory.
bool HasDataForItsPixels(const Outline& outline) {
  constexpr std::uint64_t kMaxRatio = 1032;
  const std::uint64_t bits = std::uint64_t{outline.width} * outline.height * outline.bits_per_pixel;
  return bits / 8 <= outline.compressed_bytes * kMaxRatio;
}

struct PngJob {
  png_structp png = nullptr;
  png_infop info = nullptr;
  const std::uint8_t* bytes = nullptr;  // not yet read
  std::size_t left = 0;                 // how many of them may be read
  PngErrors errors;

  PngJob() = default;
  PngJob(const PngJob&) = delete;
  PngJob& operator=(const PngJob&) = delete;
  ~PngJob() { png_destroy_read_struct(&png, &info, nullptr); }
};

void OnRead(png_structp png, png_bytep out, std::size_t size) {
  PngJob& job = *static_cast<PngJob*>(png_get_io_ptr(png));
  if (size > job.left) png_error(png, "the compressed data does not end with the pixels");
  std::memcpy(out, job.bytes, size);
  job.bytes += size;
  job.left -= size;
}

void RequestRgb8(png_structp png) {
  png_set_palette_to_rgb(png);
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_gray_to_rgb(png);
  png_set_scale_16(png);
  png_set_strip_alpha(png);
}

void Prepare(PngJob& job) {
  png_set_user_limits(job.png, kMaxSide, kMaxSide);
  // Metadata is not needed, and may be a bomb: skip every chunk that does not hold pixels.
  png_set_keep_unknown_chunks(job.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_read_fn(job.png, &job, OnRead);
}

bool ReadPixels(PngJob& job, std::uint8_t* rgb, std::size_t stride_bytes) {
  if (setjmp(job.errors.jump) != 0) return false;
  job.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job.errors, OnPngError, OnPngWarning,
                                     &job.errors, AllocateForPng, nullptr);
  if (job.png == nullptr) return false;
  job.info = png_create_info_struct(job.png);
  if (job.info == nullptr) return false;
  job.errors.code = ErrorCode::kCorruptData;  // what is wrong from here on is the file's fault
  Prepare(job);
  png_read_info(job.png, job.info);
  // After the last row libpng inflates whatever else the stream holds, which can be 1032 times the
  // file: leave it only as much to read as that row may need.
  const std::size_t last_row_bytes = 2 * png_get_rowbytes(job.png, job.info) + (64u << 10);
  RequestRgb8(job.png);
  const int passes = png_set_interlace_handling(job.png);
  png_read_update_info(job.png, job.info);
  const png_uint_32 height = png_get_image_height(job.png, job.info);
  if (png_get_rowbytes(job.png, job.info) != stride_bytes)
    png_error(job.png, "unexpected row size");
  for (int pass = 0; pass < passes; ++pass) {
    for (png_uint_32 y = 0; y < height; ++y) {
      if (pass == passes - 1 && y == height - 1) job.left = std::min(job.left, last_row_bytes);
      png_read_row(job.png, rgb + y * stride_bytes, nullptr);
    }
  }
  return true;
}

}  // namespace

Result<Image> DecodePng(std::span<const std::uint8_t> bytes, const PictureLimits& limits) {
  const Outline outline = HOLO_TRY(ReadOutline(bytes));
  HOLO_TRY(CheckSize(outline.width, outline.height, limits));
  if (!HasDataForItsPixels(outline))
    return Fail(ErrorCode::kCorruptData,
                fmt::format("{} bytes of compressed data are too few for {} x {} pixels",
                            outline.compressed_bytes, outline.width, outline.height));
  Image image(static_cast<int>(outline.width), static_cast<int>(outline.height));
  PngJob job;
  job.bytes = bytes.data();
  job.left = bytes.size();
  if (!ReadPixels(job, image.row(0), static_cast<std::size_t>(image.stride_bytes())))
    return Fail(job.errors.code, job.errors.message);
  return Orient(std::move(image), ExifOrientation(outline.exif));
}

}  // namespace holostat::media
