#include "vision/stage_clock.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string_view>

namespace holostat::vision {
namespace {

using std::chrono::nanoseconds;

TEST(StageClock, ModelsAndTheRestAreToldApart) {
  const StageClock clock;
  ASSERT_EQ(clock.times().size(), kStageCount);
  std::set<std::string_view> names;
  for (const StageTime& time : clock.times()) {
    names.insert(time.name);
    EXPECT_EQ(time.is_model, time.name != "crop" && time.name != "decode") << time.name;
  }
  EXPECT_EQ(names.size(), kStageCount);
}

TEST(StageClock, StagesAddUpToTheFrame) {
  StageClock clock;
  const auto start = std::chrono::steady_clock::now();
  clock.BeginFrame();
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    sum += clock.Measure(Stage::kHandLandmark, [&] { return 1; });
  }
  clock.EndFrame();
  const nanoseconds around = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(sum, 2);
  nanoseconds total{0};
  for (const StageTime& time : clock.times()) total += time.total;
  EXPECT_LE(total, around);
  EXPECT_GT(total, nanoseconds(0));
  EXPECT_EQ(clock.times()[0].total, nanoseconds(0));
}

TEST(StageClock, ANewFrameStartsAtZero) {
  StageClock clock;
  clock.BeginFrame();
  clock.Measure(Stage::kCrop, [] {});
  clock.BeginFrame();
  for (const StageTime& time : clock.times()) EXPECT_EQ(time.total, nanoseconds(0));
}

}  // namespace
}  // namespace holostat::vision
