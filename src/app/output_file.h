#pragma once

#include <cstdint>
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

// A file that is written bit by bit and shows under its name only when it is whole: until Finish it
// lies beside it as NAME.PID.part, and is removed if Finish is never called. A file that is
// replaced keeps its permissions; through a symbolic link the file it names is replaced. Devices
// and pipes are written directly. Not thread-safe.
class PartFile {
 public:
  // Makes the folders it lies in. Error: kUnavailable, with the system's reason.
  static Result<PartFile> Open(const std::filesystem::path& path);

  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();

  // Errors: kUnavailable.
  Result<void> Append(std::string_view bytes);
  // Puts `bytes` over those at `offset`; goes on at the end. Errors: kUnavailable, also where the
  // file is a pipe.
  Result<void> Overwrite(std::uint64_t offset, std::string_view bytes);
  // Puts the file in its place. REQUIRES: called once, and last.
  Result<void> Finish();

 private:
  PartFile(OutputFile file, std::filesystem::path path, std::filesystem::path target,
           std::filesystem::path part);

  OutputFile file_;
  std::filesystem::path path_;    // as the caller names it: for messages
  std::filesystem::path target_;  // the file it becomes
  std::filesystem::path part_;    // empty: written directly
};

// Writes a whole file or none, as PartFile does. Error: kUnavailable, with the system's reason.
Result<void> WriteFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace holostat::app
