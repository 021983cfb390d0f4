#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "base/part_file.h"
#include "base/result.h"

namespace holostat::app {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OutputFile = std::unique_ptr<std::FILE, CloseFile>;

// Opens `path` with a mode of fopen; makes the folders it lies in. Error: kUnavailable, with the
// system's reason.
Result<OutputFile> OpenFile(const std::filesystem::path& path, const char* mode);

// A file that is written bit by bit, buffered, and shows under its name only when it is whole
// (base/part_file.h). Not thread-safe.
class PartFile {
 public:
  // Makes the folders it lies in. Error: kUnavailable, with the system's reason.
  static Result<PartFile> Open(const std::filesystem::path& path);

  // Errors: kUnavailable.
  Result<void> Append(std::string_view bytes);
  // Puts `bytes` over those at `offset`; goes on at the end. Errors: kUnavailable, also where the
  // file is a pipe.
  Result<void> Overwrite(std::uint64_t offset, std::string_view bytes);
  // Puts the file in its place. REQUIRES: called once, and last.
  Result<void> Finish();

 private:
  PartFile(std::unique_ptr<holostat::PartFile> file, OutputFile buffer)
      : file_(std::move(file)), buffer_(std::move(buffer)) {}

  std::unique_ptr<holostat::PartFile> file_;
  OutputFile buffer_;  // before a descriptor of its own
};

// Writes a whole file or none, as PartFile does. Error: kUnavailable, with the system's reason.
Result<void> WriteFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace holostat::app
