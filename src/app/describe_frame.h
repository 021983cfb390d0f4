#pragma once

#include <string>

#include "holostat/frame_result.h"

namespace holostat::app {

// Who was found, in a line for people to read: "person 1: pose 0.98, left hand 0.91".
std::string DescribeFrame(const FrameResult& frame);

}  // namespace holostat::app
