#include "runtime/memory_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "runtime/control_group.h"
#include "runtime/gpu_meter.h"
#include "runtime/kernel_file.h"

namespace holostat::runtime {
namespace {

namespace fs = std::filesystem;

// The files of one group, by the names of its version.
struct GroupFiles {
  explicit GroupFiles(const MemoryGroup& group)
      : is_v1(group.version == 1),
        folder(group.folder),
        usage(folder / (is_v1 ? "memory.usage_in_bytes" : "memory.current")),
        limit(folder / (is_v1 ? "memory.limit_in_bytes" : "memory.max")),
        stat(folder / "memory.stat"),
        events(folder / (is_v1 ? "memory.oom_control" : "memory.events")),
        pressure(is_v1 ? KernelFile() : KernelFile(folder / "memory.pressure")) {}

  std::uint64_t Limit() const {
    return limit.Number().value_or(std::numeric_limits<std::uint64_t>::max());
  }

  bool is_v1;
  fs::path folder;
  KernelFile usage, limit, stat, events, pressure;
};

class ControlGroupMeter final : public MemoryMeter {
 public:
  ControlGroupMeter(std::vector<GroupFiles> groups, const fs::path& root)
      : groups_(std::move(groups)), pressure_(root / "proc/pressure/memory") {}

  std::string_view name() const override {
    return groups_.back().is_v1 ? "cgroup v1" : "cgroup v2";
  }

  Result<MeterReading> Read() override {
    const GroupFiles& group = Tightest();
    const auto usage = group.usage.Number();
    if (!usage) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("cannot read the memory usage of {}", group.folder.string()));
    }
    const char* droppable = group.is_v1 ? "total_inactive_file" : "inactive_file";
    MeterReading reading;
    reading.used_bytes = *usage - std::min(group.stat.Number(droppable).value_or(0), *usage);
    reading.limit_bytes = AsMemoryLimit(group.Limit());
    reading.oom_kills = group.events.Number("oom_kill").value_or(0);
    reading.stall_percent = (group.pressure ? group.pressure : pressure_).StallPercent();
    return reading;
  }

 private:
  // Looked for each time: a limit above us may be lowered while we run. Without any, our own.
  const GroupFiles& Tightest() const {
    const GroupFiles* tightest = &groups_.back();
    for (const GroupFiles& group : groups_) {
      if (group.Limit() < tightest->Limit()) tightest = &group;
    }
    return *tightest;
  }

  std::vector<GroupFiles> groups_;  // the outermost first; at least one
  KernelFile pressure_;             // of the whole machine
};

}  // namespace

std::unique_ptr<MemoryMeter> OpenControlGroupMeter(const fs::path& root) {
  std::vector<GroupFiles> groups;
  for (const MemoryGroup& group : MemoryGroups(root)) {
    GroupFiles files(group);
    if (files.usage) groups.push_back(std::move(files));
  }
  if (groups.empty()) return nullptr;
  return std::make_unique<ControlGroupMeter>(std::move(groups), root);
}

std::vector<std::unique_ptr<MemoryMeter>> OpenGpuMeters() {
  return OpenGpuMetersFrom("libnvidia-ml.so.1");
}

}  // namespace holostat::runtime
