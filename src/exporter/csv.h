#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "holostat/frame_result.h"

namespace holostat::exporter {

// Frames as a table: a row a frame and person, and one for a frame in which nobody is. The columns
// are docs/formats.md's, "CSV"; what is absent is an empty cell. Numbers read back as the same
// floats, in any locale. Both add to the end of `out` and make no heap call while its capacity
// lasts.

void AppendCsvHead(std::string& out);
// `source`: the file that the frame was read from.
void AppendCsvRows(const FrameResult& frame, std::uint64_t frame_index, std::string_view source,
                   std::string& out);

}  // namespace holostat::exporter
