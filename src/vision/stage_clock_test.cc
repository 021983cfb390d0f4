#include "vision/stage_clock.h"

#include <gtest/gtest.h>

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

// A clock that stands still unless told otherwise.
constinit nanoseconds time_now{0};
StageClock::Time TimeNow() { return StageClock::Time(time_now); }

nanoseconds TimeOf(const StageClock& clock, Stage stage) {
  return clock.times()[static_cast<std::size_t>(stage)].total;
}

TEST(StageClock, StagesAddUpToTheFrame) {
  StageClock clock(TimeNow);
  clock.BeginFrame();
  time_now += nanoseconds(1);
  for (int i = 0; i < 2; ++i) {
    const int result = clock.Measure(Stage::kHandLandmark, [&] {
      time_now += nanoseconds(100);
      return i;
    });
    EXPECT_EQ(result, i);
    time_now += nanoseconds(1);
  }
  clock.Measure(Stage::kCrop, [] { time_now += nanoseconds(10); });
  clock.EndFrame();
  EXPECT_EQ(TimeOf(clock, Stage::kHandLandmark), nanoseconds(200));
  EXPECT_EQ(TimeOf(clock, Stage::kCrop), nanoseconds(10));
  EXPECT_EQ(TimeOf(clock, Stage::kDecode), nanoseconds(3));
  EXPECT_EQ(TimeOf(clock, Stage::kPoseDetection), nanoseconds(0));
}

TEST(StageClock, ANewFrameStartsAtZero) {
  StageClock clock(TimeNow);
  clock.BeginFrame();
  clock.Measure(Stage::kCrop, [] { time_now += nanoseconds(10); });
  clock.BeginFrame();
  for (const StageTime& time : clock.times()) EXPECT_EQ(time.total, nanoseconds(0));
}

}  // namespace
}  // namespace holostat::vision
