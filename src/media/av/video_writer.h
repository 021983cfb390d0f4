#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "media/video.h"

namespace holostat::media::av {

// VideoLibrary::OpenWriter: docs/video-output.md says what is in the file and why. Holds one frame,
// one packet of audio and what FFmpeg's encoder and muxer hold, which the length of the video does
// not change.
Result<std::unique_ptr<VideoWriter>> OpenVideoWriter(const std::filesystem::path& path,
                                                     const VideoWriter::Options& options);

}  // namespace holostat::media::av
