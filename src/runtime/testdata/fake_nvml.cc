// Stands for NVML in gpu_meter_test.cc: three cards, of which the second cannot be opened and the
// third cannot be read.
#include <cstdint>

namespace {
int running = 0;
}

#define NVML_API extern "C" __attribute__((visibility("default")))

struct Memory {
  unsigned long long total, free, used;
};

NVML_API int nvmlInit_v2() { return running++ == 0 ? 0 : 1; }
NVML_API int nvmlShutdown() { return --running; }
NVML_API int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 3;
  return 0;
}
NVML_API int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index + 1));
  return index == 1 ? 15 : 0;
}
NVML_API int nvmlDeviceGetMemoryInfo(void* device, Memory* memory) {
  if (device != reinterpret_cast<void*>(1)) return 999;
  *memory = {8000, 5000, 3000};
  return 0;
}
NVML_API int FakeNvmlRunning() { return running; }
