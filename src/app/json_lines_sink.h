#pragma once

#include <cstdint>
#include <memory>

#include "app/frame_sink.h"
#include "app/output_target.h"

namespace holostat::app {

// What becomes of the lines that a file already has.
enum class FileStart : std::uint8_t { kEmpty = 1, kAppend };

struct JsonLinesOptions {
  FileStart start = FileStart::kEmpty;
  bool signals = false;  // with them (docs/signals.md)
};

// A line a frame, each written through, so that a reader can follow. A file that takes the whole
// call is opened here. Error: kUnavailable.
Result<std::unique_ptr<FrameSink>> OpenJsonLines(const OutputTarget& target,
                                                 const JsonLinesOptions& options);

// The same to standard output.
std::unique_ptr<FrameSink> PrintJsonLines(bool signals);

}  // namespace holostat::app
