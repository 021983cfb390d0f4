#include <string_view>

#include "media/video_library.h"

// All that libholostat-video.so exports.
extern "C" __attribute__((visibility("default"))) holostat::media::VideoLibrary*
holostat_video_library(const char* version) {
  if (std::string_view(version) != holostat::media::kVideoLibraryVersion) return nullptr;
  return &holostat::media::LinkedVideoLibrary();
}
