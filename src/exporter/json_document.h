#pragma once

#include <string>
#include <string_view>

namespace holostat::exporter {

// Around the frames of a video in one JSON document, schema "holostat.frames/1"
// (docs/frame-json.md): the head, then a document a frame (json.h) with commas between, then the
// tail. `fps` 0 is unknown: null. Bytes of the name that are no UTF-8 become U+FFFD.
std::string JsonDocumentHead(std::string_view source, double fps);
inline constexpr std::string_view kJsonDocumentTail = "\n]}\n";

}  // namespace holostat::exporter
