#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"

namespace holostat::app {

// The last whole line of a .jsonl file that an earlier run of `track` has written.
struct ResumePoint {
  std::uint64_t frame = 0;
  double timestamp_ms = 0;
  int width = 0, height = 0;               // of the frame, pixels
  std::optional<std::size_t> face_points;  // where somebody's face is in it
  std::uint64_t bytes = 0;                 // of the file up to the end of that line
};

// Reads only the end of the file, at most some MB. Nothing: there is no such file, or no whole line
// in it. Errors: kUnavailable (cannot be read), kCorruptData (the line is no frame document).
Result<std::optional<ResumePoint>> FindResumePoint(const std::filesystem::path& file);

// Cuts what follows the first `bytes`: a line that was begun when the run ended. Nothing to do
// where there is no file. Error: kUnavailable.
Result<void> CutAfter(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace holostat::app
