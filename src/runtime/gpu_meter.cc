#include "runtime/gpu_meter.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace holostat::runtime {
namespace {

constexpr unsigned kMostCards = 64;

// What is needed of NVML's interface (nvml.h; stable since version 5), declared here so that
// nothing of it is needed to build.
struct NvmlMemory {
  unsigned long long total = 0, free = 0, used = 0;  // bytes
};
using NvmlDevice = struct NvmlDeviceTag*;
constexpr int kNvmlSuccess = 0;

// The loaded library; all meters hold it.
class Nvml {
 public:
  explicit Nvml(const char* library) : handle_(::dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) return;
    const bool is_complete = Find("nvmlInit_v2", init_) & Find("nvmlShutdown", shutdown_) &
                             Find("nvmlDeviceGetCount_v2", count) &
                             Find("nvmlDeviceGetHandleByIndex_v2", device) &
                             Find("nvmlDeviceGetMemoryInfo", memory);
    is_running_ = is_complete && init_() == kNvmlSuccess;
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (is_running_) shutdown_();
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  bool is_running() const { return is_running_; }

  int (*count)(unsigned*) = nullptr;
  int (*device)(unsigned, NvmlDevice*) = nullptr;
  int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;

 private:
  template <class Function>
  bool Find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    return function != nullptr;
  }

  void* handle_;
  bool is_running_ = false;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
};

class GpuMeter final : public MemoryMeter {
 public:
  GpuMeter(std::shared_ptr<const Nvml> nvml, NvmlDevice device, unsigned index)
      : nvml_(std::move(nvml)), device_(device), name_(fmt::format("gpu {}", index)) {}

  std::string_view name() const override { return name_; }

  Result<MeterReading> Read() override {
    NvmlMemory memory;
    if (const int error = nvml_->memory(device_, &memory); error != kNvmlSuccess) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("cannot read the memory of {}: NVML error {}", name_, error));
    }
    MeterReading reading;
    reading.used_bytes = memory.used;
    reading.limit_bytes = memory.total;
    return reading;
  }

 private:
  std::shared_ptr<const Nvml> nvml_;
  NvmlDevice device_;
  std::string name_;
};

}  // namespace

std::vector<std::unique_ptr<MemoryMeter>> OpenGpuMetersFrom(const char* library) {
  std::vector<std::unique_ptr<MemoryMeter>> meters;
  const auto nvml = std::make_shared<const Nvml>(library);
  unsigned count = 0;
  if (!nvml->is_running() || nvml->count(&count) != kNvmlSuccess) return meters;
  for (unsigned i = 0; i < count && i < kMostCards; ++i) {
    NvmlDevice device = nullptr;
    if (nvml->device(i, &device) != kNvmlSuccess) continue;
    meters.push_back(std::make_unique<GpuMeter>(nvml, device, i));
  }
  return meters;
}

}  // namespace holostat::runtime
