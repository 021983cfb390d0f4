#include "media/video_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>
#include <system_error>

namespace holostat::media {
namespace {

namespace fs = std::filesystem;

// Beside the program as in the folder of a build, else where an installation has it.
fs::path FindLibrary() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  fs::path beside = folder / kVideoLibraryFile;
  if (fs::exists(beside, error)) return beside;
  return folder / HOLOSTAT_VIDEO_DIR / kVideoLibraryFile;
}

// "libavformat.so.59: cannot open shared object file": FFmpeg is not installed.
std::string LoadError() {
  const char* reason = ::dlerror();
  return fmt::format("the library for videos cannot be loaded: {}",
                     reason != nullptr ? reason : "unknown reason");
}

}  // namespace

Result<VideoLibrary*> LoadVideoLibraryFrom(const fs::path& file) {
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return Fail(ErrorCode::kUnavailable, LoadError());
  const auto entry = reinterpret_cast<VideoLibraryEntry>(::dlsym(library, kVideoLibraryEntry));
  if (entry == nullptr) return Fail(ErrorCode::kUnavailable, LoadError());
  VideoLibrary* videos = entry(kVideoLibraryVersion);
  if (videos == nullptr) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{} is of another version of Holostat", file.string()));
  }
  return videos;
}

Result<VideoLibrary*> LoadVideoLibrary() {
  static const Result<VideoLibrary*> library = LoadVideoLibraryFrom(FindLibrary());
  return library;
}

}  // namespace holostat::media
