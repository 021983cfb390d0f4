#pragma once

// Makes the files that the decoder tests read: small pictures in every variant, written by the
// codec libraries or, where those cannot write it, chunk by chunk. Test only.

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "holostat/image.h"

namespace holostat::media::test {

using Bytes = std::vector<std::uint8_t>;

void Append(Bytes& bytes, const Bytes& more);
Bytes BytesOf(std::string_view text);

// An asymmetric picture without hard edges, so that lossy formats keep it.
Image SmoothPicture(int width, int height);
// An asymmetric picture of the 16 colours that Palette16 holds; `IndexAt` says which.
int IndexAt(int x, int y);
std::array<std::array<std::uint8_t, 3>, 16> Palette16();
Image PalettePicture(int width, int height);
// Only grey: every pixel is the mean of SmoothPicture's.
Image GreyPicture(int width, int height);

// -1 when the sizes differ.
int LargestDifference(const Image& a, const Image& b);

// A TIFF header with one directory that holds this orientation, of either byte order.
Bytes ExifBlock(int orientation, bool little_endian);

struct PngSpec {
  int width = 0;
  int height = 0;
  int bit_depth = 8;
  int color_type = 2;
  int channels = 3;
  bool interlaced = false;
  // The sample of a pixel, below 2^bit_depth.
  std::function<std::uint32_t(int x, int y, int channel)> sample = {};
  Bytes before_data = {};  // whole chunks between the header and the pixels
  Bytes after_data = {};   // whole chunks behind the pixels
  Bytes extra_raw = {};    // inflated bytes behind the last row
};
Bytes PngChunk(std::string_view type, const Bytes& data);
Bytes MakePng(const PngSpec& spec);
Bytes MakeRgbPng(const Image& image, const Bytes& before_data = {});

enum class JpegColor : std::uint8_t { kYcc = 1, kRgb, kGrey, kCmykAdobe, kCmykPlain, kYcckAdobe };
enum class JpegScans : std::uint8_t {
  kSequential = 1,
  kComponentByComponent,
  kProgressive,
  kArithmetic,
  kArithmeticProgressive,
  kOneCoefficientAScan,  // grey only: 1 + 63 scans
  kOneBitAScan,          // grey only: 1 + 63 * 2 scans
};
// Quality 97 without chroma subsampling. CMYK files paint the same colours with black kept apart.
Bytes MakeJpeg(const Image& image, JpegColor color = JpegColor::kYcc,
               JpegScans scans = JpegScans::kSequential);
// Puts an APP1 segment with `payload` behind the start marker.
Bytes WithApp1(const Bytes& jpeg, const Bytes& payload);
// Where the n-th marker of this type begins.
std::size_t FindMarker(const Bytes& jpeg, std::uint8_t marker, std::size_t from = 0);

Bytes RiffChunk(std::string_view type, const Bytes& data);
Bytes RiffFile(const Bytes& chunks);
Bytes MakeLosslessWebp(const Image& image);
Bytes MakeLossyWebp(const Image& image);
Bytes MakeAlphaWebp(const Image& image, bool lossless);
// The chunks of a simple WebP file, as an extended file or a frame holds them.
Bytes ChunksOf(const Bytes& webp);
Bytes Vp8xChunk(std::uint8_t flags, int width, int height);
Bytes AnmfChunk(int left, int top, int width, int height, const Bytes& chunks);

struct GifSpec {
  int canvas_width = 0;
  int canvas_height = 0;
  int background = 0;
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  int transparent = -1;
  bool interlaced = false;
  bool local_palette = false;  // instead of the global one
  int frames = 1;              // those behind the first are all colour 15
};
// Frame pixels are IndexAt; the palette is Palette16.
Bytes MakeGif(const GifSpec& spec);

}  // namespace holostat::media::test
