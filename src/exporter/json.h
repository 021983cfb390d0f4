#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "holostat/frame_result.h"

namespace holostat::exporter {

struct JsonOptions {
  std::uint64_t frame_index = 0;
  // PNG files of the masks, one a person in order, given as base64 in "segmentation" with the size
  // that the PNG itself states; none or an empty one: null. REQUIRES: whole PNG files.
  std::span<const std::string_view> mask_pngs = {};
  bool signals = false;  // also what the landmarks say of posture and expression (signals.md)
};

// The frame as one compact line of JSON without a newline, schema "holostat.frame/1"
// (docs/frame-json.md). Numbers are the shortest that read back as the same float; a value that is
// not finite is written as null. The same frame always gives the same bytes, whatever the locale.
// Thread-safe: no shared state.
std::string ToJson(const FrameResult& frame, const JsonOptions& options = {});

// As ToJson, added to the end of a string. Makes no heap call while the capacity of `out` lasts.
void AppendJson(const FrameResult& frame, const JsonOptions& options, std::string& out);

}  // namespace holostat::exporter
