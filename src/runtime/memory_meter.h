#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::runtime {

// The memory that a limit outside this service is put on: its control group, a graphics card.
struct MeterReading {
  std::uint64_t used_bytes = 0;
  std::optional<std::uint64_t> limit_bytes;
  std::uint64_t oom_kills = 0;          // since the group exists; 0 where it does not tell
  std::optional<double> stall_percent;  // PSI "some avg10" of memory, where there is one
};

class MemoryMeter {
 public:
  virtual ~MemoryMeter() = default;
  virtual std::string_view name() const = 0;  // static: "cgroup v2", "cgroup v1", "gpu 0"
  virtual Result<MeterReading> Read() = 0;
};

// The control group (v1 or v2) of this process with the smallest memory limit, itself or above;
// used bytes are without page cache that can be dropped at once (inactive_file). Nothing without a
// memory controller. `root` stands before /proc and /sys: a test's own tree.
std::unique_ptr<MemoryMeter> OpenControlGroupMeter(const std::filesystem::path& root = "/");

// One meter for each graphics card that NVML knows; none without NVML, which is loaded by dlopen
// and never needed.
std::vector<std::unique_ptr<MemoryMeter>> OpenGpuMeters();

}  // namespace holostat::runtime
