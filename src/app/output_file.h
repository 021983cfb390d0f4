#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace holostat::app {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OutputFile = std::unique_ptr<std::FILE, CloseFile>;

// Opens `path` with a mode of fopen; makes the folders it lies in. Error: kUnavailable, with the
// system's reason.
Result<OutputFile> OpenFile(const std::filesystem::path& path, const char* mode);

// Writes a whole file or none: to a name beside it, then renamed over it. A file that is replaced
// keeps its permissions; through a symbolic link the file it names is replaced. Devices and pipes
// are written directly. Error: kUnavailable, with the system's reason.
Result<void> WriteFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace holostat::app
