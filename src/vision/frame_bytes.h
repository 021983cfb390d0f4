#pragma once

// Test support. Not part of the product.

#include <string>

#include "holostat/frame_result.h"

namespace holostat::vision {

// Every number of a result, bit for bit.
std::string Bytes(const FrameResult& frame);

}  // namespace holostat::vision
