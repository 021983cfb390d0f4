#pragma once

#include <memory>

#include "app/frame_sink.h"
#include "app/output_target.h"

namespace holostat::app {

// The motion of one person as a .bvh file an input, and beside it a .face.json of what the face
// does, a line a frame of the motion (docs/formats.md, "BVH"). A pipe cannot take it: its head is
// written again at the end.
std::unique_ptr<FrameSink> MakeBvhSink(const OutputTarget& target);

}  // namespace holostat::app
