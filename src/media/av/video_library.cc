#include "media/video_library.h"

extern "C" {
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
}

#include <exception>
#include <new>
#include <string>

#include "media/av/log.h"
#include "media/av/video_reader.h"
#include "media/av/video_writer.h"

namespace holostat::media {
namespace {

// Runs `open`, whose exceptions end here: none crosses the border of the library.
template <class Open>
auto Guarded(Open open) -> decltype(open()) {
  try {
    return open();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kOverloaded, "out of memory");
  } catch (const std::exception& error) {  // of the standard library
    return Fail(ErrorCode::kInternal, error.what());
  }
}

class FFmpegLibrary final : public VideoLibrary {
 public:
  FFmpegLibrary() {
    av::CaptureLog();
    avdevice_register_all();
    avformat_network_init();
  }

  Result<std::unique_ptr<VideoReader>> OpenReader(const std::string& source,
                                                  const VideoReader::Options& options) override {
    return Guarded([&] { return av::OpenVideoReader(source, options); });
  }

  Result<std::unique_ptr<VideoWriter>> OpenWriter(const std::filesystem::path& path,
                                                  const VideoWriter::Options& options) override {
    return Guarded([&] { return av::OpenVideoWriter(path, options); });
  }
  std::string version() const override { return std::string("FFmpeg ") + av_version_info(); }
};

}  // namespace

VideoLibrary& LinkedVideoLibrary() {
  static FFmpegLibrary library;
  return library;
}

}  // namespace holostat::media
