#pragma once

#include <CLI/App.hpp>

#include "app/track_call.h"
#include "media/video.h"

namespace holostat::app {

// Adds --video, --from, --to, --every, --resume, --input-format and the deadlines to `parser`.
// `options` must outlive it.
void AddVideoOptions(CLI::App& parser, VideoCall& options);
// Of them, those of any command that reads a video: --from, --to, --input-format, the deadlines.
void AddReaderOptions(CLI::App& parser, VideoCall& options);

// How the wanted part of a video is read; Ctrl-C interrupts it.
media::VideoReader::Options ReaderOptions(const VideoCall& call, std::size_t max_pixels);

// Opens it, to be decoded ahead in a thread of its own where there is a core for it. Errors: those
// of media::VideoLibrary.
Result<std::unique_ptr<media::VideoReader>> OpenAhead(media::VideoLibrary& videos,
                                                      const std::string& source,
                                                      const media::VideoReader::Options& options);

}  // namespace holostat::app
