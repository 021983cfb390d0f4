#pragma once

#include <filesystem>

#include "base/result.h"
#include "media/video.h"

namespace holostat::media {

// How the library of videos is found and loaded. Users only need LoadVideoLibrary (media/video.h).

// Both sides are of one build, or do not talk to each other: classes cross the border.
inline constexpr char kVideoLibraryVersion[] = HOLOSTAT_VIDEO_VERSION;
inline constexpr char kVideoLibraryFile[] = "libholostat-video.so";

// What the library exports. Null where `version` is not its own.
using VideoLibraryEntry = VideoLibrary* (*)(const char* version);
inline constexpr char kVideoLibraryEntry[] = "holostat_video_library";

// Loads the file. It stays loaded to the end of the process. Error: kUnavailable.
Result<VideoLibrary*> LoadVideoLibraryFrom(const std::filesystem::path& file);

// The one that this process has linked: defined in the static library holostat_video, which the
// loaded one is made of and tests link. Lives to the end of the process.
VideoLibrary& LinkedVideoLibrary();

}  // namespace holostat::media
