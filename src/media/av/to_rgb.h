#pragma once

#include <cstddef>
#include <optional>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "holostat/image.h"
#include "media/av/handles.h"
#include "media/av/turn.h"

namespace holostat::media::av {

// Makes decoded frames upright RGB pictures of 8 bits, with the colours that the ffmpeg command
// gives for -pix_fmt rgb24. Owns the pixels of one picture: no heap call while frames stay of one
// size and kind. Bound to one thread.
class ToRgb {
 public:
  // Valid until the next call. Errors: kUnsupported (a format of pixels that FFmpeg's scaler does
  // not read), kInternal. Throws std::bad_alloc.
  Result<ImageView> Convert(const AVFrame& frame, Turn turn);

 private:
  // What the scaler was made for.
  struct Kind {
    int width = 0, height = 0, format = -1, colour_space = 0, range = 0;
    bool operator==(const Kind&) const = default;
  };
  // Rows with room for a scaler that writes in steps.
  struct Pixels {
    AlignedBuffer bytes;
    std::ptrdiff_t stride = 0;
    int width = 0, height = 0;

    void Resize(int new_width, int new_height);
    std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(bytes.data()); }
    ImageView view() { return {data(), width, height, stride}; }
  };

  Result<void> Prepare(const Kind& kind);

  Kind kind_;
  ScalerHandle scaler_;
  Pixels stored_, upright_;  // the second is of size only where pictures are turned
};

}  // namespace holostat::media::av
