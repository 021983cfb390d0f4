#pragma once

#include <string>

#include "holostat/frame_result.h"

namespace holostat::exporter {

// The frame as OpenPose writes one (--write_json): BODY_25, 70 points of the face, 21 of each hand,
// in pixels, as x, y, confidence; what is not there is 0, 0, 0. One line of JSON without a newline.
// The mapping is docs/formats.md's. Thread-safe: no shared state.
std::string ToOpenPose(const FrameResult& frame);

}  // namespace holostat::exporter
