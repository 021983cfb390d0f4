#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "holostat/image.h"
#include "media/av/handles.h"

namespace holostat::media::av {

// Makes pictures the frames of a video: yuv420p of limited range and even sides. A side that is odd
// becomes one pixel longer, its last pixels twice; nothing is scaled. Holds one frame, and needs no
// heap call of its own while pictures stay of one size. Bound to one thread.
class ToYuv {
 public:
  // For a video whose pictures are `width` x `height`. Errors: kLimitExceeded (a side over 16,384
  // pixels), kOverloaded.
  static Result<std::unique_ptr<ToYuv>> Create(int width, int height);
  ToYuv(const ToYuv&) = delete;
  ToYuv& operator=(const ToYuv&) = delete;

  // Of the frames: even.
  int width() const { return frame_->width; }
  int height() const { return frame_->height; }
  // BT.709 from HD on, BT.601 below: what players take it for that do not read what a file says.
  AVColorSpace matrix() const { return frame_->colorspace; }

  // Valid until the next call; whoever keeps a reference keeps its pixels. A picture of another
  // size is fitted in, on black. Errors: kOverloaded, kInternal. REQUIRES: `image` is not empty.
  Result<AVFrame*> Convert(const ImageView& image);

 private:
  // Where a picture goes in the frame, pixels.
  struct Place {
    int left = 0, top = 0, width = 0, height = 0;
  };
  ToYuv(int width, int height, FrameHandle frame)
      : width_(width), height_(height), frame_(std::move(frame)) {}
  Place Fit(const ImageView& image) const;
  Result<void> PrepareScaler(const ImageView& image, const Place& place);
  Result<void> Scale(const ImageView& image, const Place& place);
  void PaintAround(const Place& place);
  void RepeatLastPixels();

  int width_, height_;  // of the pictures
  FrameHandle frame_;
  ScalerHandle scaler_;
  std::vector<std::uint8_t> last_row_;        // of a picture, with room after it
  int scaled_width_ = 0, scaled_height_ = 0;  // of the pictures that scaler_ takes
};

}  // namespace holostat::media::av
