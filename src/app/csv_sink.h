#pragma once

#include <memory>

#include "app/frame_sink.h"
#include "app/output_target.h"

namespace holostat::app {

// A row a frame and person (docs/formats.md, "CSV"), each written through. A file that takes the
// whole call is opened here. Error: kUnavailable.
Result<std::unique_ptr<FrameSink>> OpenCsv(const OutputTarget& target);

}  // namespace holostat::app
