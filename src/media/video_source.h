#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holostat::media {

// What the name of a video may stand for.
enum class VideoSourceKind {
  kFile = 1,       // a path: a regular file, or a named pipe
  kStandardInput,  // "-"
  kSequence,       // numbered pictures: "frame%04d.png"
  kDevice,         // a camera: "/dev/video0"
  kAddress,        // "rtsp://...": a scheme and "://"
};

// From the name alone; nothing is opened. A path that looks like something else is one with "./"
// before it.
VideoSourceKind KindOfVideoSource(std::string_view source);

// The scheme of an address, in small letters: "rtsp". REQUIRES: KindOfVideoSource is kAddress.
std::string SchemeOf(std::string_view address);

// Whether `name` is that of a video, and not of a picture: everything but a path, and paths with
// an ending of a video format (".mp4"), of large or small letters. "-" is not: it may be either.
bool IsVideoName(std::string_view name);

// The lowest number for which there is a file of the pattern. Errors: kInvalidArgument (more than
// one number in it, or one in a folder's name), kNotFound (no such file or folder), kUnavailable.
Result<int> FirstOfSequence(const std::string& pattern);

}  // namespace holostat::media
