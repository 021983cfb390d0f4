#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace holostat {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Fail(ErrorCode::kInvalidArgument, "odd");
  return value / 2;
}

Result<int> Quarter(int value) {
  const int half = HOLO_TRY(Half(value));
  return HOLO_TRY_CONTEXT(Half(half), "second halving");
}

Result<void> CheckEven(int value) {
  HOLO_TRY(Half(value));
  return {};
}

Result<std::unique_ptr<int>> Box(int value) { return std::make_unique<int>(HOLO_TRY(Half(value))); }

TEST(Result, TryGivesTheValue) { EXPECT_EQ(Quarter(8).value(), 2); }

TEST(Result, TryReturnsTheFirstError) {
  const auto result = Quarter(3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().message, "odd");
}

TEST(Result, ContextComesBeforeTheMessage) {
  EXPECT_EQ(Quarter(6).error().message, "second halving: odd");
}

TEST(Result, TryWorksForVoidAndMoveOnlyValues) {
  EXPECT_TRUE(CheckEven(2));
  EXPECT_FALSE(CheckEven(1));
  EXPECT_EQ(*Box(10).value(), 5);
}

TEST(Result, EveryCodeHasAName) {
  for (int code = 1; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    EXPECT_NE(ErrorCodeName(static_cast<ErrorCode>(code)), "unknown") << code;
  }
}

}  // namespace
}  // namespace holostat
