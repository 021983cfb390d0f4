#include "app/media_time.h"

#include <gtest/gtest.h>

namespace holostat::app {
namespace {

using namespace std::chrono_literals;

TEST(MediaTime, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(ParseMediaTime("0"), 0us);
  EXPECT_EQ(ParseMediaTime("90"), 90s);
  EXPECT_EQ(ParseMediaTime("90.5"), 90'500ms);
  EXPECT_EQ(ParseMediaTime("1:30"), 90s);
  EXPECT_EQ(ParseMediaTime("90:00"), 90min);
  EXPECT_EQ(ParseMediaTime("1:02:03.250"), 1h + 2min + 3250ms);
  EXPECT_EQ(ParseMediaTime("0.0000004"), 0us);
}

TEST(MediaTime, WhatIsNoTimeIsNone) {
  for (const char* text : {"", ":", "1:", ":30", "1:60", "1:2:3:4", "-1", "+1", "1e3", "inf", "nan",
                           "0x10", "1 s", "1.5:00", "1..5", ".", "99999999", "1:-2"}) {
    EXPECT_FALSE(ParseMediaTime(text).has_value()) << text;
  }
}

TEST(MediaTime, IsShownInWholeSeconds) {
  EXPECT_EQ(FormatMediaTime(0us), "0:00");
  EXPECT_EQ(FormatMediaTime(65'900ms), "1:05");
  EXPECT_EQ(FormatMediaTime(3h + 4s), "3:00:04");
  EXPECT_EQ(FormatMediaTime(-5s), "0:00");
}

}  // namespace
}  // namespace holostat::app
