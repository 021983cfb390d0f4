#include "runtime/gpu_meter.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace holostat::runtime {
namespace {

TEST(GpuMeter, IsAbsentWithoutTheLibrary) {
  EXPECT_TRUE(OpenGpuMetersFrom("libholostat-no-such-library.so.1").empty());
}

TEST(GpuMeter, IsAbsentWhereTheLibraryIsAnother) {
  EXPECT_TRUE(OpenGpuMetersFrom("libc.so.6").empty());
}

TEST(GpuMeter, ReadsEachCardThatCanBeOpened) {
  const auto meters = OpenGpuMetersFrom(HOLOSTAT_FAKE_NVML);
  ASSERT_EQ(meters.size(), 2u);
  EXPECT_EQ(meters[0]->name(), "gpu 0");
  EXPECT_EQ(meters[1]->name(), "gpu 2");
  const auto reading = meters[0]->Read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->used_bytes, 3000u);
  EXPECT_EQ(reading->limit_bytes, 8000u);
  EXPECT_EQ(reading->stall_percent, std::nullopt);
  EXPECT_EQ(meters[1]->Read().error().code, ErrorCode::kUnavailable);
}

TEST(GpuMeter, ShutsTheLibraryDownWithTheLastMeter) {
  void* library = ::dlopen(HOLOSTAT_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr);
  const auto running = reinterpret_cast<int (*)()>(::dlsym(library, "FakeNvmlRunning"));
  ASSERT_NE(running, nullptr);
  {
    auto meters = OpenGpuMetersFrom(HOLOSTAT_FAKE_NVML);
    meters.pop_back();
    EXPECT_EQ(running(), 1);
    EXPECT_TRUE(meters[0]->Read());
  }
  EXPECT_EQ(running(), 0);
  ::dlclose(library);
}

}  // namespace
}  // namespace holostat::runtime
