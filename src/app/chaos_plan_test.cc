#include "app/chaos_plan.h"

#include <gtest/gtest.h>

#include <map>

namespace holostat::app {
namespace {

std::map<std::string, int> Draw(ChaosPlan plan, int count) {
  std::map<std::string, int> counts;
  for (int i = 0; i < count; ++i) ++counts[plan.Next()];
  return counts;
}

TEST(ChaosPlan, HitsTheShareOfRequestsThatItSays) {
  const auto counts = Draw(ChaosPlan::Parse("crash=0.01,leak=0.2:1MB", 7).value(), 100000);
  EXPECT_NEAR(counts.at("crash") + counts.at("crash,leak:1MB"), 1000, 150);
  EXPECT_NEAR(counts.at("leak:1MB") + counts.at("crash,leak:1MB"), 20000, 600);
}

TEST(ChaosPlan, IsTheSameForTheSameSeed) {
  ChaosPlan a = ChaosPlan::Parse("hang=0.5", 1).value(),
            b = ChaosPlan::Parse("hang=0.5", 1).value();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.Next(), b.Next());
  EXPECT_NE(Draw(ChaosPlan::Parse("hang=0.5", 1).value(), 1000),
            Draw(ChaosPlan::Parse("hang=0.5", 2).value(), 1000));
}

TEST(ChaosPlan, OfNothingHasNoFaults) {
  ChaosPlan plan = ChaosPlan::Parse("", 1).value();
  EXPECT_TRUE(plan.empty());
  EXPECT_EQ(plan.Next(), "");
}

TEST(ChaosPlan, SaysWhatIsWrong) {
  for (const char* text : {"cras=0.1", "crash", "crash=", "crash=2", "crash=-1", "crash=nan",
                           "crash=0.1x", "=1", ",", "leak:1MB"}) {
    const auto plan = ChaosPlan::Parse(text, 1);
    ASSERT_FALSE(plan) << text;
    EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace holostat::app
