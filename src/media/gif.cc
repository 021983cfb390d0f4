// GIF by giflib, up to the end of the first frame.
#include <gif_lib.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "media/codec.h"

namespace holostat::media {
namespace {

using Bytes = std::span<const std::uint8_t>;
using GifFile = std::unique_ptr<GifFileType, decltype([](GifFileType* file) {
                                  int ignored = 0;  // closing a reader can only fail to free it
                                  DGifCloseFile(file, &ignored);
                                })>;

int OnRead(GifFileType* file, GifByteType* out, int size) {
  Bytes& left = *static_cast<Bytes*>(file->UserData);
  const std::size_t count = std::min(left.size(), static_cast<std::size_t>(size));
  std::memcpy(out, left.data(), count);
  left = left.subspan(count);
  return static_cast<int>(count);
}

tl::unexpected<Error> FailGif(int code) {
  if (code == D_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
  const char* text = GifErrorString(code);
  return Fail(ErrorCode::kCorruptData, text != nullptr ? text : "its data is damaged");
}

// The extensions before the first frame tell which palette index, if any, is transparent.
Result<int> SkipToFirstFrame(GifFileType* gif) {
  int transparent = NO_TRANSPARENT_COLOR;
  while (true) {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(gif, &record) == GIF_ERROR) return FailGif(gif->Error);
    if (record == IMAGE_DESC_RECORD_TYPE) return transparent;
    if (record != EXTENSION_RECORD_TYPE) return Fail(ErrorCode::kCorruptData, "it has no frame");
    int code = 0;
    GifByteType* block = nullptr;  // a length byte, then the data; owned by `gif`
    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return FailGif(gif->Error);
    while (block != nullptr) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE &&
          DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        transparent = control.TransparentColor;
      if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) return FailGif(gif->Error);
    }
  }
}

using Pixel = std::array<std::uint8_t, 3>;

Pixel ColorAt(const ColorMapObject& map, int index) {
  const GifColorType& color = map.Colors[index];
  return {color.Red, color.Green, color.Blue};
}

// 256 colours, so that no index a frame may hold is out of range; those not given are black.
std::array<Pixel, 256> PaletteOf(const ColorMapObject& map) {
  std::array<Pixel, 256> palette{};
  for (int k = 0; k < std::min(map.ColorCount, 256); ++k)
    palette[static_cast<std::size_t>(k)] = ColorAt(map, k);
  return palette;
}

void FillBackground(const GifFileType& gif, Image& canvas) {
  const ColorMapObject* map = gif.SColorMap;
  if (map == nullptr || gif.SBackGroundColor >= map->ColorCount) return;  // stays black
  const Pixel color = ColorAt(*map, gif.SBackGroundColor);
  for (int y = 0; y < canvas.height(); ++y)
    for (int x = 0; x < canvas.width(); ++x)
      std::memcpy(canvas.row(y) + std::ptrdiff_t{x} * 3, color.data(), 3);
}

// Rows in the order they are stored: from top to bottom, or the four passes of an interlaced frame.
std::vector<int> RowOrder(int height, bool is_interlaced) {
  std::vector<int> rows;
  rows.reserve(static_cast<std::size_t>(height));
  if (!is_interlaced) {
    for (int y = 0; y < height; ++y) rows.push_back(y);
    return rows;
  }
  constexpr int kFirst[] = {0, 4, 2, 1};
  constexpr int kStep[] = {8, 8, 4, 2};
  for (int pass = 0; pass < 4; ++pass)
    for (int y = kFirst[pass]; y < height; y += kStep[pass]) rows.push_back(y);
  return rows;
}

// Draws the frame whose header was read; what leaves the canvas is cut, transparent pixels leave
// the canvas as it is.
Result<void> DrawFrame(GifFileType* gif, int transparent, Image& canvas) {
  const GifImageDesc& frame = gif->Image;
  const ColorMapObject* map = frame.ColorMap != nullptr ? frame.ColorMap : gif->SColorMap;
  if (map == nullptr) return Fail(ErrorCode::kCorruptData, "it has no palette");
  const std::array<Pixel, 256> palette = PaletteOf(*map);
  const int visible = std::clamp(canvas.width() - frame.Left, 0, frame.Width);
  std::vector<GifPixelType> line(static_cast<std::size_t>(frame.Width));
  for (const int y : RowOrder(frame.Height, frame.Interlace)) {
    if (DGifGetLine(gif, line.data(), frame.Width) == GIF_ERROR) return FailGif(gif->Error);
    if (frame.Top + y >= canvas.height()) continue;
    std::uint8_t* out = canvas.row(frame.Top + y) + std::ptrdiff_t{frame.Left} * 3;
    for (int x = 0; x < visible; ++x) {
      const GifPixelType index = line[static_cast<std::size_t>(x)];
      if (index != transparent) std::memcpy(out + std::ptrdiff_t{x} * 3, palette[index].data(), 3);
    }
  }
  return {};
}

}  // namespace

Result<Image> DecodeGif(std::span<const std::uint8_t> bytes, const PictureLimits& limits) {
  Bytes left = bytes;
  int error = 0;
  const GifFile gif(DGifOpen(&left, OnRead, &error));
  if (gif == nullptr) return FailGif(error);
  HOLO_TRY(CheckSize(static_cast<std::uint64_t>(gif->SWidth),
                     static_cast<std::uint64_t>(gif->SHeight), limits));
  const int transparent = HOLO_TRY(SkipToFirstFrame(gif.get()));
  if (DGifGetImageHeader(gif.get()) == GIF_ERROR) return FailGif(gif->Error);
  HOLO_TRY(CheckSize(static_cast<std::uint64_t>(gif->Image.Width),
                     static_cast<std::uint64_t>(gif->Image.Height), limits));
  Image canvas(gif->SWidth, gif->SHeight);
  FillBackground(*gif, canvas);
  HOLO_TRY(DrawFrame(gif.get(), transparent, canvas));
  return canvas;
}

}  // namespace holostat::media
