#pragma once

#include <memory>
#include <string>

#include "media/video.h"

namespace holostat::media::av {

// VideoLibrary::OpenReader, but that it throws std::bad_alloc.
Result<std::unique_ptr<VideoReader>> OpenVideoReader(const std::string& source,
                                                     const VideoReader::Options& options);

}  // namespace holostat::media::av
