// JPEG by libjpeg-turbo. The library reports errors by calling back and expects not to return, so
// each group of calls stands in one C-like function with a setjmp and nothing to destroy; all
// state lives in a JpegJob outside, whose destructor frees it on every path.
#include <cstdio>  // jpeglib.h needs FILE and size_t

#include <jpeglib.h>

#include <jerror.h>

#include <fmt/format.h>
#include <algorithm>
#include <csetjmp>
#include <utility>

#include "media/codec.h"
#include "media/exif.h"
#include "media/orient.h"

namespace holostat::media {
namespace {

// Each scan of a progressive file walks the whole picture, however few bytes it has: a small file
// with thousands of them would take hours. Encoders write about 10, at most 18 (CMYK).
constexpr int kMaxScans = 64;

struct JpegJob {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump{};
  ErrorCode code = ErrorCode::kCorruptData;
  char message[JMSG_LENGTH_MAX] = {};

  JpegJob() = default;
  JpegJob(const JpegJob&) = delete;
  JpegJob& operator=(const JpegJob&) = delete;
  ~JpegJob() { jpeg_destroy_decompress(&info); }  // does nothing before jpeg_create_decompress
};

JpegJob& JobOf(j_common_ptr info) { return *static_cast<JpegJob*>(info->client_data); }

ErrorCode CodeOfMessage(int message) {
  switch (message) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
      return ErrorCode::kUnsupported;
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
      return ErrorCode::kLimitExceeded;
    case JERR_OUT_OF_MEMORY:
      return ErrorCode::kOverloaded;
    default:
      return ErrorCode::kCorruptData;
  }
}

[[noreturn]] void OnError(j_common_ptr info) {
  JpegJob& job = JobOf(info);
  job.code = CodeOfMessage(info->err->msg_code);
  info->err->format_message(info, job.message);
  std::longjmp(job.jump, 1);
}

// libjpeg goes on after damage and paints what it guesses. Warnings that leave every pixel as its
// encoder meant it are passed over; all others are errors.
bool IsHarmless(int warning) {
  return warning == JWRN_EXTRANEOUS_DATA || warning == JWRN_JFIF_MAJOR ||
         warning == JWRN_ADOBE_XFORM || warning == JWRN_NOT_SEQUENTIAL;
}

void OnMessage(j_common_ptr info, int level) {
  if (level < 0 && !IsHarmless(info->err->msg_code)) OnError(info);
}

void OnProgress(j_common_ptr info) {
  JpegJob& job = JobOf(info);
  if (job.info.input_scan_number <= kMaxScans) return;
  job.code = ErrorCode::kLimitExceeded;
  std::snprintf(job.message, sizeof job.message, "it has more than %d scans", kMaxScans);
  std::longjmp(job.jump, 1);
}

bool ReadHeader(JpegJob& job, const std::uint8_t* bytes, std::size_t size) {
  job.info.err = jpeg_std_error(&job.errors);
  job.errors.error_exit = OnError;
  job.errors.emit_message = OnMessage;
  job.info.client_data = &job;
  if (setjmp(job.jump) != 0) return false;
  jpeg_create_decompress(&job.info);
  job.progress.progress_monitor = OnProgress;
  job.info.progress = &job.progress;
  jpeg_mem_src(&job.info, bytes, size);
  jpeg_read_header(&job.info, TRUE);
  return true;
}

// Adobe stores CMYK as the light that is left (255 = no ink), the standard as ink.
void CmykToRgb(const std::uint8_t* cmyk, int width, bool is_inverted, std::uint8_t* rgb) {
  const int flip = is_inverted ? 0 : 255;
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    const int key = cmyk[3] ^ flip;
    for (int c = 0; c < 3; ++c)
      rgb[c] = static_cast<std::uint8_t>(((cmyk[c] ^ flip) * key + 127) / 255);
  }
}

bool ReadPixels(JpegJob& job, std::uint8_t* rgb, std::ptrdiff_t stride_bytes) {
  jpeg_decompress_struct& info = job.info;
  if (setjmp(job.jump) != 0) return false;
  const bool is_cmyk = info.num_components == 4;
  info.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&info);
  JSAMPARRAY cmyk = nullptr;
  if (is_cmyk) {
    cmyk = info.mem->alloc_sarray(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE,
                                  info.output_width * 4, 1);
  }
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = rgb + static_cast<std::ptrdiff_t>(info.output_scanline) * stride_bytes;
    jpeg_read_scanlines(&info, is_cmyk ? cmyk : &row, 1);
    if (is_cmyk)
      CmykToRgb(cmyk[0], static_cast<int>(info.output_width), info.saw_Adobe_marker != 0, row);
  }
  jpeg_finish_decompress(&info);  // reads on to the end marker: without it the file is truncated
  return true;
}

// The payload of the first APP1 segment that holds EXIF; empty without one. libjpeg could keep
// markers too, but would copy every one of them.
std::span<const std::uint8_t> FindExif(std::span<const std::uint8_t> bytes) {
  std::size_t at = 2;
  while (bytes.size() - at >= 4) {
    const std::uint32_t marker = bytes[at + 1];
    if (bytes[at] != 0xFF || marker == 0xDA) break;  // entropy-coded data begins
    if (marker == 0xFF) {                            // fill byte
      ++at;
      continue;
    }
    const std::size_t length = BigEndian16(bytes, at + 2);
    if (length < 2 || bytes.size() - at - 2 < length) break;
    const auto payload = bytes.subspan(at + 4, length - 2);
    if (marker == 0xE1 && payload.size() > 6 &&
        std::equal(payload.begin(), payload.begin() + 6, "Exif\0"))
      return payload;
    at += 2 + length;
  }
  return {};
}

// Huffman coding spends at least one bit on each block of 8 x 8 samples, so a file that claims more
// blocks than it has bits is known to be damaged before its pixels get memory. Arithmetic coding
// has no such floor.
bool HasBitsForItsBlocks(const jpeg_decompress_struct& info, std::size_t file_bytes) {
  if (info.arith_code) return true;
  std::uint64_t blocks = 0;
  for (int c = 0; c < info.num_components; ++c) {
    blocks += std::uint64_t{info.comp_info[c].width_in_blocks} * info.comp_info[c].height_in_blocks;
  }
  return blocks <= std::uint64_t{file_bytes} * 8;
}

}  // namespace

Result<Image> DecodeJpeg(std::span<const std::uint8_t> bytes, const PictureLimits& limits) {
  JpegJob job;
  if (!ReadHeader(job, bytes.data(), bytes.size())) return Fail(job.code, job.message);
  HOLO_TRY(CheckSize(job.info.image_width, job.info.image_height, limits));
  if (!HasBitsForItsBlocks(job.info, bytes.size()))
    return Fail(ErrorCode::kCorruptData,
                fmt::format("{} bytes are too few for {} x {} pixels", bytes.size(),
                            job.info.image_width, job.info.image_height));
  Image image(static_cast<int>(job.info.image_width), static_cast<int>(job.info.image_height));
  if (!ReadPixels(job, image.row(0), image.stride_bytes())) return Fail(job.code, job.message);
  return Orient(std::move(image), ExifOrientation(FindExif(bytes)));
}

}  // namespace holostat::media
