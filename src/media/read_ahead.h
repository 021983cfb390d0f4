#pragma once

#include <memory>

#include "media/video.h"

namespace holostat::media {

// Reads a video in a thread of its own, so that decoding and tracking run side by side. Gives what
// `reader` gives, in its order, each frame copied once into one of three that are kept: the caller
// has one, up to two wait. Memory: three frames.
//
// Next and counts are bound to one thread. counts() are those when the last given frame was read.
// The thread takes no signals. The end of this interrupts `reader` and waits for its thread, which
// may take as long as one frame's decoding.
std::unique_ptr<VideoReader> ReadAhead(std::unique_ptr<VideoReader> reader);

}  // namespace holostat::media
