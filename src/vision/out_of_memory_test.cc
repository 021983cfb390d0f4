#include <gtest/gtest.h>

#include "holostat/holistic_tracker.h"
#include "vision/failing_new.h"
#include "vision/golden_support.h"

namespace holostat::vision {
namespace {

TEST(OutOfMemory, InNewIsAnErrorWhereverItHappens) {
  if (!HaveModels()) GTEST_SKIP() << "no models in " << ModelsDir();
  const HolisticTracker::Options options{
      .models_dir = ModelsDir(), .complexity = Complexity::kLite, .segmentation = true};
  const std::uint64_t before = NewCalls();
  ASSERT_TRUE(HolisticTracker::Create(options));
  const std::uint64_t calls = NewCalls() - before;

  constexpr std::uint64_t kPlaces = 12;
  for (std::uint64_t place = 0; place < kPlaces; ++place) {
    const std::uint64_t works = calls * place / kPlaces;
    FailNewAfter(works);
    const auto tracker = HolisticTracker::Create(options);
    ASSERT_FALSE(tracker) << works << " of " << calls;
    EXPECT_EQ(tracker.error().code, ErrorCode::kOverloaded) << works << " of " << calls;
  }
  EXPECT_TRUE(HolisticTracker::Create(options));
}

}  // namespace
}  // namespace holostat::vision
