#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holostat {

// A borrowed picture: 8-bit RGB, interleaved, rows top to bottom. Owns nothing.
struct ImageView {
  const std::uint8_t* data = nullptr;
  int width = 0;                    // pixels
  int height = 0;                   // pixels
  std::ptrdiff_t stride_bytes = 0;  // distance between rows, >= 3 * width

  bool empty() const { return data == nullptr || width <= 0 || height <= 0; }
  const std::uint8_t* row(int y) const { return data + y * stride_bytes; }
};

// An owned picture in the layout of ImageView, without row padding. Moved from, it is empty: 0 x 0.
class Image {
 public:
  Image() = default;
  // Black. REQUIRES: no negative side. Throws std::bad_alloc, or std::length_error where the pixels
  // would take more than PTRDIFF_MAX bytes.
  Image(int width, int height)
      : width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {}
  Image(const Image&) = default;
  Image& operator=(const Image&) = default;
  Image(Image&& other) noexcept { *this = std::move(other); }
  Image& operator=(Image&& other) noexcept {
    width_ = std::exchange(other.width_, 0);
    height_ = std::exchange(other.height_, 0);
    pixels_ = std::exchange(other.pixels_, {});
    return *this;
  }

  int width() const { return width_; }
  int height() const { return height_; }
  std::ptrdiff_t stride_bytes() const { return static_cast<std::ptrdiff_t>(width_) * 3; }
  std::uint8_t* row(int y) { return pixels_.data() + y * stride_bytes(); }
  const std::uint8_t* row(int y) const { return pixels_.data() + y * stride_bytes(); }
  ImageView view() const { return {pixels_.data(), width_, height_, stride_bytes()}; }

 private:
  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace holostat
