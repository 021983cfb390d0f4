#pragma once

#include "base/result.h"
#include "media/av/handles.h"

namespace holostat::media::av {

// What the picture of a video is made of: how its RGB relates to its YUV.
struct H264Options {
  int width = 0, height = 0;  // even
  int ticks_per_second = 0;   // of the frames' times
  double fps = 30;            // about; over 0
  int crf = 20;               // of x264: 0 best .. 51
  AVColorSpace matrix = AVCOL_SPC_BT709;
};

// libx264 where FFmpeg has it, else libopenh264, else whichever encoder of H.264 opens. It gives
// the frames in the order they came in, so that a file needs no edit list to begin at its first
// one. Errors: kUnsupported (none there, or none for these sizes), kOverloaded.
Result<CodecHandle> OpenH264Encoder(const H264Options& options);

// Error kUnsupported when FFmpeg has none.
Result<void> CheckH264Encoder();

}  // namespace holostat::media::av
