#pragma once

#include <cstdint>
#include <string>

#include "holostat/frame_result.h"

namespace holostat::exporter {

// The frame as a document of COCO annotations with COCO-WholeBody's 133 keypoints: 17 of the body,
// 6 of the feet, 68 of the face, 21 of each hand, in pixels. Body and feet have COCO's v: 0 not
// there, 1 hidden, 2 seen; face and hands their confidence. One line of JSON without a newline. The
// mapping is docs/formats.md's. Thread-safe: no shared state.
std::string ToCocoWholeBody(const FrameResult& frame, std::uint64_t frame_index = 0);

}  // namespace holostat::exporter
