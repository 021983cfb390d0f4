#include "media/test_pictures.h"

#include <gif_lib.h>
#include <webp/encode.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

namespace holostat::media::test {
namespace {

void AppendBigEndian(Bytes& bytes, std::uint32_t value, int size) {
  for (int k = size - 1; k >= 0; --k) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

void AppendLittleEndian(Bytes& bytes, std::uint32_t value, int size) {
  for (int k = 0; k < size; ++k) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

Image Paint(int width, int height, const std::function<int(int x, int y, int channel)>& color) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.row(y)[x * 3 + c] = static_cast<std::uint8_t>(color(x, y, c));
  return image;
}

}  // namespace

void Append(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes BytesOf(std::string_view text) { return Bytes(text.begin(), text.end()); }

Image SmoothPicture(int width, int height) {
  return Paint(width, height, [](int x, int y, int c) {
    return std::lround(128 + 90 * std::sin(x * 0.07 + y * 0.11 + c * 1.3));
  });
}

Image GreyPicture(int width, int height) {
  return Paint(width, height, [](int x, int y, int) {
    return std::lround(128 + 90 * std::sin(x * 0.07 + y * 0.11));
  });
}

int IndexAt(int x, int y) { return (x / 2 + y * 3 + x * y / 5) % 16; }

std::array<std::array<std::uint8_t, 3>, 16> Palette16() {
  std::array<std::array<std::uint8_t, 3>, 16> palette{};
  for (std::size_t k = 0; k < 16; ++k)
    palette[k] = {static_cast<std::uint8_t>(k * 17), static_cast<std::uint8_t>(255 - k * 13),
                  static_cast<std::uint8_t>(k * k)};
  return palette;
}

Image PalettePicture(int width, int height) {
  return Paint(width, height, [palette = Palette16()](int x, int y, int c) {
    return palette[static_cast<std::size_t>(IndexAt(x, y))][static_cast<std::size_t>(c)];
  });
}

int LargestDifference(const Image& a, const Image& b) {
  if (a.width() != b.width() || a.height() != b.height()) return -1;
  int largest = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int k = 0; k < a.width() * 3; ++k)
      largest = std::max(largest, std::abs(a.row(y)[k] - b.row(y)[k]));
  return largest;
}

Bytes ExifBlock(int orientation, bool little_endian) {
  Bytes exif = BytesOf(little_endian ? "II" : "MM");
  const auto append = little_endian ? AppendLittleEndian : AppendBigEndian;
  append(exif, 42, 2);
  append(exif, 8, 4);       // the directory follows
  append(exif, 2, 2);       // of two entries
  append(exif, 0x010F, 2);  // maker, inline text
  append(exif, 2, 2);
  append(exif, 4, 4);
  Append(exif, {'a', 'b', 'c', 0});
  append(exif, 0x0112, 2);
  append(exif, 3, 2);
  append(exif, 1, 4);
  append(exif, static_cast<std::uint32_t>(orientation), 2);
  append(exif, 0, 2);
  append(exif, 0, 4);  // no further directory
  return exif;
}

// ---- PNG

namespace {

// Packs the pixels x0, x0 + dx, ... of each row y0, y0 + dy, ... as scanlines without a filter.
void AppendPass(Bytes& raw, const PngSpec& spec, int x0, int y0, int dx, int dy) {
  if (x0 >= spec.width) return;
  for (int y = y0; y < spec.height; y += dy) {
    raw.push_back(0);
    std::uint32_t bits = 0;
    int bit_count = 0;
    for (int x = x0; x < spec.width; x += dx) {
      for (int c = 0; c < spec.channels; ++c) {
        bits = bits << spec.bit_depth | spec.sample(x, y, c);
        for (bit_count += spec.bit_depth; bit_count >= 8; bit_count -= 8)
          raw.push_back(static_cast<std::uint8_t>(bits >> (bit_count - 8)));
      }
    }
    if (bit_count > 0) raw.push_back(static_cast<std::uint8_t>(bits << (8 - bit_count)));
  }
}

Bytes Deflate(const Bytes& raw) {
  uLongf size = compressBound(raw.size());
  Bytes packed(size);
  if (compress(packed.data(), &size, raw.data(), raw.size()) != Z_OK) std::abort();
  packed.resize(size);
  return packed;
}

}  // namespace

Bytes PngChunk(std::string_view type, const Bytes& data) {
  Bytes chunk;
  AppendBigEndian(chunk, static_cast<std::uint32_t>(data.size()), 4);
  Append(chunk, BytesOf(type));
  Append(chunk, data);
  AppendBigEndian(
      chunk,
      static_cast<std::uint32_t>(crc32(0, chunk.data() + 4, static_cast<uInt>(data.size() + 4))),
      4);
  return chunk;
}

Bytes MakePng(const PngSpec& spec) {
  Bytes header;
  AppendBigEndian(header, static_cast<std::uint32_t>(spec.width), 4);
  AppendBigEndian(header, static_cast<std::uint32_t>(spec.height), 4);
  Append(header, {static_cast<std::uint8_t>(spec.bit_depth),
                  static_cast<std::uint8_t>(spec.color_type), 0, 0, spec.interlaced});
  Bytes raw;
  if (spec.interlaced) {
    constexpr int kPasses[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                   {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    for (const auto& pass : kPasses) AppendPass(raw, spec, pass[0], pass[1], pass[2], pass[3]);
  } else if (spec.sample) {
    AppendPass(raw, spec, 0, 0, 1, 1);
  }
  Append(raw, spec.extra_raw);
  Bytes png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  Append(png, PngChunk("IHDR", header));
  Append(png, spec.before_data);
  Append(png, PngChunk("IDAT", Deflate(raw)));
  Append(png, spec.after_data);
  Append(png, PngChunk("IEND", {}));
  return png;
}

Bytes MakeRgbPng(const Image& image, const Bytes& before_data) {
  return MakePng({.width = image.width(),
                  .height = image.height(),
                  .sample = [&](int x, int y, int c) { return image.row(y)[x * 3 + c]; },
                  .before_data = before_data});
}

// ---- JPEG

namespace {

J_COLOR_SPACE InputSpace(JpegColor color) {
  switch (color) {
    case JpegColor::kYcc:
    case JpegColor::kRgb:
      return JCS_RGB;
    case JpegColor::kGrey:
      return JCS_GRAYSCALE;
    default:
      return JCS_CMYK;
  }
}

J_COLOR_SPACE FileSpace(JpegColor color) {
  switch (color) {
    case JpegColor::kYcc:
      return JCS_YCbCr;
    case JpegColor::kRgb:
      return JCS_RGB;
    case JpegColor::kGrey:
      return JCS_GRAYSCALE;
    case JpegColor::kYcckAdobe:
      return JCS_YCCK;
    default:
      return JCS_CMYK;
  }
}

// The samples libjpeg is to store for one row.
Bytes StoredRow(const Image& image, int y, JpegColor color) {
  Bytes row;
  for (int x = 0; x < image.width(); ++x) {
    const std::uint8_t* rgb = image.row(y) + x * 3;
    switch (InputSpace(color)) {
      case JCS_RGB:
        row.insert(row.end(), rgb, rgb + 3);
        break;
      case JCS_GRAYSCALE:
        row.push_back(rgb[0]);
        break;
      default: {
        const int light = std::max({rgb[0], rgb[1], rgb[2], std::uint8_t{1}});  // 255 - black
        const int flip = color == JpegColor::kCmykPlain ? 255 : 0;
        for (int c = 0; c < 3; ++c)
          row.push_back(static_cast<std::uint8_t>(flip ^ ((rgb[c] * 255 + light / 2) / light)));
        row.push_back(static_cast<std::uint8_t>(flip ^ light));
      }
    }
  }
  return row;
}

jpeg_scan_info Scan(int component, int first, int last, int high, int low) {
  return {1, {component, 0, 0, 0}, first, last, high, low};
}

std::vector<jpeg_scan_info> Script(JpegScans scans, int components) {
  std::vector<jpeg_scan_info> script;
  if (scans == JpegScans::kComponentByComponent)
    for (int c = 0; c < components; ++c) script.push_back(Scan(c, 0, 63, 0, 0));
  if (scans == JpegScans::kOneCoefficientAScan || scans == JpegScans::kOneBitAScan) {
    const int low = scans == JpegScans::kOneBitAScan ? 1 : 0;
    script.push_back(Scan(0, 0, 0, 0, 0));
    for (int k = 1; k < 64; ++k) script.push_back(Scan(0, k, k, 0, low));
    for (int k = 1; k < 64 && low == 1; ++k) script.push_back(Scan(0, k, k, 1, 0));
  }
  return script;
}

}  // namespace

Bytes MakeJpeg(const Image& image, JpegColor color, JpegScans scans) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);  // a fault of the test ends it
  jpeg_create_compress(&info);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &data, &size);
  info.image_width = static_cast<JDIMENSION>(image.width());
  info.image_height = static_cast<JDIMENSION>(image.height());
  info.in_color_space = InputSpace(color);
  info.input_components = info.in_color_space == JCS_RGB         ? 3
                          : info.in_color_space == JCS_GRAYSCALE ? 1
                                                                 : 4;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, FileSpace(color));
  jpeg_set_quality(&info, 97, TRUE);
  for (int c = 0; c < info.num_components; ++c)
    info.comp_info[c].h_samp_factor = info.comp_info[c].v_samp_factor = 1;
  if (color == JpegColor::kCmykPlain) info.write_Adobe_marker = FALSE;
  info.arith_code =
      scans == JpegScans::kArithmetic || scans == JpegScans::kArithmeticProgressive ? TRUE : FALSE;
  const auto script = Script(scans, info.num_components);
  if (!script.empty()) {
    info.scan_info = script.data();
    info.num_scans = static_cast<int>(script.size());
  }
  if (scans == JpegScans::kProgressive || scans == JpegScans::kArithmeticProgressive)
    jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  for (int y = 0; y < image.height(); ++y) {
    Bytes stored = StoredRow(image, y, color);
    JSAMPROW row = stored.data();
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  const Bytes file(data, data + size);
  jpeg_destroy_compress(&info);
  std::free(data);
  return file;
}

Bytes WithApp1(const Bytes& jpeg, const Bytes& payload) {
  Bytes file = {0xFF, 0xD8, 0xFF, 0xE1};
  AppendBigEndian(file, static_cast<std::uint32_t>(payload.size() + 2), 2);
  Append(file, payload);
  file.insert(file.end(), jpeg.begin() + 2, jpeg.end());
  return file;
}

std::size_t FindMarker(const Bytes& jpeg, std::uint8_t marker, std::size_t from) {
  for (std::size_t k = from; k + 1 < jpeg.size(); ++k)
    if (jpeg[k] == 0xFF && jpeg[k + 1] == marker) return k;
  std::abort();
}

// ---- WebP

Bytes RiffChunk(std::string_view type, const Bytes& data) {
  Bytes chunk = BytesOf(type);
  AppendLittleEndian(chunk, static_cast<std::uint32_t>(data.size()), 4);
  Append(chunk, data);
  if (data.size() % 2 != 0) chunk.push_back(0);
  return chunk;
}

Bytes RiffFile(const Bytes& chunks) {
  Bytes data = BytesOf("WEBP");
  Append(data, chunks);
  return RiffChunk("RIFF", data);
}

namespace {

Bytes TakeWebp(std::uint8_t* data, std::size_t size) {
  Bytes file(data, data + size);
  WebPFree(data);
  return file;
}

}  // namespace

Bytes MakeLosslessWebp(const Image& image) {
  std::uint8_t* data = nullptr;
  const std::size_t size = WebPEncodeLosslessRGB(image.row(0), image.width(), image.height(),
                                                 static_cast<int>(image.stride_bytes()), &data);
  return TakeWebp(data, size);
}

Bytes MakeLossyWebp(const Image& image) {
  std::uint8_t* data = nullptr;
  const std::size_t size = WebPEncodeRGB(image.row(0), image.width(), image.height(),
                                         static_cast<int>(image.stride_bytes()), 95, &data);
  return TakeWebp(data, size);
}

Bytes MakeAlphaWebp(const Image& image, bool lossless) {
  Bytes rgba;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      rgba.insert(rgba.end(), image.row(y) + x * 3, image.row(y) + x * 3 + 3);
      rgba.push_back(static_cast<std::uint8_t>(1 + (x * 7 + y) % 255));
    }
  std::uint8_t* data = nullptr;
  const int stride = image.width() * 4;
  const std::size_t size =
      lossless ? WebPEncodeLosslessRGBA(rgba.data(), image.width(), image.height(), stride, &data)
               : WebPEncodeRGBA(rgba.data(), image.width(), image.height(), stride, 95, &data);
  return TakeWebp(data, size);
}

Bytes ChunksOf(const Bytes& webp) { return Bytes(webp.begin() + 12, webp.end()); }

Bytes Vp8xChunk(std::uint8_t flags, int width, int height) {
  Bytes data = {flags, 0, 0, 0};
  AppendLittleEndian(data, static_cast<std::uint32_t>(width - 1), 3);
  AppendLittleEndian(data, static_cast<std::uint32_t>(height - 1), 3);
  return RiffChunk("VP8X", data);
}

Bytes AnmfChunk(int left, int top, int width, int height, const Bytes& chunks) {
  Bytes data;
  for (const int value : {left / 2, top / 2, width - 1, height - 1, 100})
    AppendLittleEndian(data, static_cast<std::uint32_t>(value), 3);
  data.push_back(0);
  Append(data, chunks);
  return RiffChunk("ANMF", data);
}

// ---- GIF

namespace {

int WriteToBytes(GifFileType* gif, const GifByteType* data, int size) {
  Append(*static_cast<Bytes*>(gif->UserData), Bytes(data, data + size));
  return size;
}

void PutFrame(GifFileType* gif, const GifSpec& spec, ColorMapObject* map, bool is_first) {
  if (is_first && spec.transparent >= 0) {
    const GraphicsControlBlock control{0, false, 10, spec.transparent};
    GifByteType block[4];
    const auto size = EGifGCBToExtension(&control, block);
    EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), block);
  }
  EGifPutImageDesc(gif, spec.left, spec.top, spec.width, spec.height, spec.interlaced,
                   spec.local_palette ? map : nullptr);
  const int first[] = {0, 4, 2, 1};
  const int step[] = {8, 8, 4, 2};
  for (int pass = spec.interlaced ? 0 : 3; pass < 4; ++pass) {
    const int begin = spec.interlaced ? first[pass] : 0;
    for (int y = begin; y < spec.height; y += spec.interlaced ? step[pass] : 1) {
      Bytes line;
      for (int x = 0; x < spec.width; ++x)
        line.push_back(static_cast<std::uint8_t>(is_first ? IndexAt(x, y) : 15));
      EGifPutLine(gif, line.data(), spec.width);
    }
  }
}

}  // namespace

Bytes MakeGif(const GifSpec& spec) {
  Bytes file;
  int error = 0;
  GifFileType* gif = EGifOpen(&file, WriteToBytes, &error);
  ColorMapObject* map = GifMakeMapObject(16, nullptr);
  const auto palette = Palette16();
  for (std::size_t k = 0; k < 16; ++k)
    map->Colors[k] = {palette[k][0], palette[k][1], palette[k][2]};
  EGifSetGifVersion(gif, true);
  EGifPutScreenDesc(gif, spec.canvas_width, spec.canvas_height, 4, spec.background,
                    spec.local_palette ? nullptr : map);
  for (int k = 0; k < spec.frames; ++k) PutFrame(gif, spec, map, k == 0);
  EGifCloseFile(gif, &error);
  GifFreeMapObject(map);
  return file;
}

}  // namespace holostat::media::test
