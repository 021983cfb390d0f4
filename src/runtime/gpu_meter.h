#pragma once

#include <memory>
#include <vector>

#include "runtime/memory_meter.h"

namespace holostat::runtime {

// OpenGpuMeters with NVML loaded from `library`: a test's own.
std::vector<std::unique_ptr<MemoryMeter>> OpenGpuMetersFrom(const char* library);

}  // namespace holostat::runtime
