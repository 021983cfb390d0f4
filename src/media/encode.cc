#include "media/encode.h"

#include <cstdio>  // jpeglib.h needs FILE and size_t

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>

#include <fmt/format.h>
#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "media/png_errors.h"

namespace holostat::media {
namespace {

constexpr int kMaxPngSide = 1'000'000;  // libpng's default user limit
constexpr int kMaxJpegSide = JPEG_MAX_DIMENSION;

struct Rows {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride_bytes = 0;
  int channels = 0;
  std::string_view comment = {};

  const std::uint8_t* row(int y) const { return data + y * stride_bytes; }
};

Result<void> Check(const Rows& rows, int max_side) {
  if (rows.data == nullptr || rows.width <= 0 || rows.height <= 0)
    return Fail(ErrorCode::kInvalidArgument, "cannot encode an empty picture");
  if (rows.width > max_side || rows.height > max_side)
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("cannot encode {} x {} pixels, the format has at most {} a side",
                            rows.width, rows.height, max_side));
  return {};
}

// No exception may pass through the C frames of the libraries.
bool Resize(std::string& bytes, std::size_t size) {
  try {
    bytes.resize(size);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// As in the decoders: one C-like function with a setjmp each, state in a job that frees it.
struct PngJob {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string bytes;
  PngErrors errors;

  PngJob() = default;
  PngJob(const PngJob&) = delete;
  PngJob& operator=(const PngJob&) = delete;
  ~PngJob() { png_destroy_write_struct(&png, &info); }
};

void OnPngWrite(png_structp png, png_bytep data, std::size_t size) {
  PngJob& job = *static_cast<PngJob*>(png_get_io_ptr(png));
  const std::size_t at = job.bytes.size();
  if (!Resize(job.bytes, at + size)) {
    job.errors.code = ErrorCode::kOverloaded;
    png_error(png, "not enough memory");
  }
  std::memcpy(job.bytes.data() + at, data, size);
}

void WritePngComment(PngJob& job, std::string_view comment) {
  char key[] = "Comment";
  png_text text{};
  text.compression = PNG_TEXT_COMPRESSION_NONE;
  text.key = key;
  text.text = const_cast<char*>(comment.data());  // libpng copies it
  text.text_length = comment.size();
  png_set_text(job.png, job.info, &text, 1);
}

bool WritePng(PngJob& job, const Rows& rows) {
  if (setjmp(job.errors.jump) != 0) return false;
  job.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job.errors, OnPngError, OnPngWarning,
                                      &job.errors, AllocateForPng, nullptr);
  if (job.png == nullptr) return false;
  job.info = png_create_info_struct(job.png);
  if (job.info == nullptr) return false;
  png_set_write_fn(job.png, &job, OnPngWrite, nullptr);
  png_set_IHDR(job.png, job.info, static_cast<png_uint_32>(rows.width),
               static_cast<png_uint_32>(rows.height), 8,
               rows.channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(job.png, 1);
  png_set_filter(job.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  if (!rows.comment.empty()) WritePngComment(job, rows.comment);
  png_write_info(job.png, job.info);
  for (int y = 0; y < rows.height; ++y) png_write_row(job.png, rows.row(y));
  png_write_end(job.png, nullptr);
  return true;
}

Result<std::string> EncodeRows(const Rows& rows) {
  HOLO_TRY(Check(rows, kMaxPngSide));
  PngJob job;
  if (!WritePng(job, rows))
    return Fail(job.errors.code, fmt::format("cannot encode a PNG: {}", job.errors.message));
  return std::move(job.bytes);
}

struct JpegJob {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_destination_mgr destination{};
  std::string bytes;
  std::jmp_buf jump{};
  ErrorCode code = ErrorCode::kInternal;
  char message[JMSG_LENGTH_MAX] = {};

  JpegJob() = default;
  JpegJob(const JpegJob&) = delete;
  JpegJob& operator=(const JpegJob&) = delete;
  ~JpegJob() { jpeg_destroy_compress(&info); }  // does nothing before jpeg_create_compress
};

JpegJob& JobOf(jpeg_compress_struct* info) { return *static_cast<JpegJob*>(info->client_data); }

[[noreturn]] void OnJpegError(j_common_ptr info) {
  JpegJob& job = *static_cast<JpegJob*>(info->client_data);
  if (info->err->msg_code == JERR_OUT_OF_MEMORY) job.code = ErrorCode::kOverloaded;
  info->err->format_message(info, job.message);
  std::longjmp(job.jump, 1);
}

void OnJpegMessage(j_common_ptr, int) {}

// Not jpeg_mem_dest: it gives a buffer to copy from, and after an error in the middle of a picture
// that buffer is lost and the pointer to it dangles.
void ProvideRoom(JpegJob& job, std::size_t used, std::size_t size) {
  if (!Resize(job.bytes, size)) {
    job.code = ErrorCode::kOverloaded;
    std::snprintf(job.message, sizeof job.message, "not enough memory");
    std::longjmp(job.jump, 1);
  }
  job.destination.next_output_byte = reinterpret_cast<JOCTET*>(job.bytes.data()) + used;
  job.destination.free_in_buffer = size - used;
}

void OnJpegBegin(jpeg_compress_struct* info) { ProvideRoom(JobOf(info), 0, 64u << 10); }

// libjpeg calls it when all room is used, whatever free_in_buffer says.
boolean OnJpegFull(jpeg_compress_struct* info) {
  JpegJob& job = JobOf(info);
  ProvideRoom(job, job.bytes.size(), 2 * job.bytes.size());
  return TRUE;
}

void OnJpegEnd(jpeg_compress_struct* info) {
  JpegJob& job = JobOf(info);
  job.bytes.resize(job.bytes.size() - job.destination.free_in_buffer);  // shrinks: cannot throw
}

bool WriteJpeg(JpegJob& job, const Rows& rows, int quality) {
  jpeg_compress_struct& info = job.info;
  info.err = jpeg_std_error(&job.errors);
  job.errors.error_exit = OnJpegError;
  job.errors.emit_message = OnJpegMessage;
  info.client_data = &job;
  if (setjmp(job.jump) != 0) return false;
  jpeg_create_compress(&info);
  job.destination.init_destination = OnJpegBegin;
  job.destination.empty_output_buffer = OnJpegFull;
  job.destination.term_destination = OnJpegEnd;
  info.dest = &job.destination;
  info.image_width = static_cast<JDIMENSION>(rows.width);
  info.image_height = static_cast<JDIMENSION>(rows.height);
  info.input_components = rows.channels;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = quality < 90 ? 2 : 1;
  jpeg_start_compress(&info, TRUE);
  if (!rows.comment.empty()) {
    jpeg_write_marker(&info, JPEG_COM, reinterpret_cast<const JOCTET*>(rows.comment.data()),
                      static_cast<unsigned>(rows.comment.size()));
  }
  while (info.next_scanline < info.image_height) {
    // libjpeg only reads the row, but its type does not say so.
    JSAMPROW row = const_cast<JSAMPROW>(rows.row(static_cast<int>(info.next_scanline)));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  return true;
}

}  // namespace

Result<std::string> EncodePng(const ImageView& image, std::string_view comment) {
  return EncodeRows({image.data, image.width, image.height, image.stride_bytes, 3, comment});
}

Result<std::string> EncodePng(const GreyView& image) {
  return EncodeRows({image.data, image.width, image.height, image.stride_bytes, 1});
}

Result<std::string> EncodeJpeg(const ImageView& image, int quality, std::string_view comment) {
  const Rows rows{image.data, image.width, image.height, image.stride_bytes, 3, comment};
  HOLO_TRY(Check(rows, kMaxJpegSide));
  if (quality < 1 || quality > 100)
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("JPEG quality is {}, it must be 1 to 100", quality));
  JpegJob job;
  if (!WriteJpeg(job, rows, quality))
    return Fail(job.code, fmt::format("cannot encode a JPEG: {}", job.message));
  return std::move(job.bytes);
}

}  // namespace holostat::media
