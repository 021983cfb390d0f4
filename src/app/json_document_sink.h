#pragma once

#include <memory>

#include "app/frame_sink.h"
#include "app/output_target.h"

namespace holostat::app {

// One JSON document an input, of all its frames (docs/frame-json.md, "All frames in one document").
// `signals`: with them (docs/signals.md).
std::unique_ptr<FrameSink> MakeJsonDocumentSink(const OutputTarget& target, bool signals);

}  // namespace holostat::app
