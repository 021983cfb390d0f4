#include "app/text_bars.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

namespace holostat::app {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(TextBars, FillsABarByItsShare) {
  EXPECT_EQ(Bar(0, 4, Glyphs::kAscii), "[....]");
  EXPECT_EQ(Bar(0.5, 4, Glyphs::kAscii), "[##..]");
  EXPECT_EQ(Bar(1, 4, Glyphs::kAscii), "[####]");
  EXPECT_EQ(WidthOf(Bar(0.3, 4, Glyphs::kUnicode)), 6u);
}

TEST(TextBars, KeepsABarInItsBrackets) {
  for (const double share : {-1.0, 7.0, kNaN, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(Bar(share, 4, Glyphs::kAscii).size(), 6u) << share;
  }
}

TEST(TextBars, DrawsValuesByHeight) {
  const std::array values{0.0, 1.0, 2.0};
  EXPECT_EQ(Sparkline(values, 0, Glyphs::kAscii), "_=#");
  EXPECT_EQ(Sparkline(values, 4, Glyphs::kAscii), "_:=");
  EXPECT_EQ(Sparkline(values, 0, Glyphs::kUnicode), "\u2581\u2585\u2588");
  EXPECT_EQ(Sparkline({}, 0, Glyphs::kAscii), "");
  EXPECT_EQ(Sparkline(std::array{0.0, 0.0}, 0, Glyphs::kAscii), "__");
  EXPECT_EQ(Sparkline(std::array{kNaN, -1.0}, 0, Glyphs::kAscii), "__");
}

TEST(TextBars, WritesSizesForPeople) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(1023), "1023 B");
  EXPECT_EQ(BytesText(3500), "3.4 kB");
  EXPECT_EQ(BytesText(1024 * 1024 - 1), "1.0 MB");
  EXPECT_EQ(BytesText(135u << 20), "135.0 MB");
  EXPECT_EQ(BytesText(5ull << 30), "5.0 GB");
  EXPECT_EQ(BytesText(std::numeric_limits<std::uint64_t>::max()), "16777216.0 TB");
}

TEST(TextBars, WritesTimesForPeople) {
  EXPECT_EQ(DurationText(0), "0:00:00");
  EXPECT_EQ(DurationText(3665.9), "1:01:05");
  EXPECT_EQ(DurationText(3 * 86400 + 4 * 3600), "3d 04:00:00");
  EXPECT_EQ(DurationText(-1), "?");
  EXPECT_EQ(DurationText(kNaN), "?");
  EXPECT_EQ(DurationText(1e300), "?");
  EXPECT_EQ(MillisecondsText(0), "-");
  EXPECT_EQ(MillisecondsText(1.254), "1.25 ms");
  EXPECT_EQ(MillisecondsText(25.51), "25.5 ms");
  EXPECT_EQ(MillisecondsText(2100), "2.10 s");
}

TEST(TextBars, ShowsNoControlCharactersOfOthers) {
  EXPECT_EQ(AsciiOnly("a\x1b[2Jb\n\x7f"), "a?[2Jb??");
  EXPECT_EQ(AsciiOnly("caf\u00e9 \u4e2d"), "caf? ?");
}

TEST(TextBars, CutsBetweenCharacters) {
  EXPECT_EQ(CutToWidth("abc", 5), "abc");
  EXPECT_EQ(CutToWidth("abc", 2), "ab");
  EXPECT_EQ(CutToWidth("\u2588\u2588\u2588", 2), "\u2588\u2588");
  EXPECT_EQ(CutToWidth("a", 0), "");
}

TEST(TextBars, BelievesTheLocaleAboutGlyphs) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) ::unsetenv(name);
  EXPECT_EQ(GlyphsOfEnvironment(), Glyphs::kAscii);
  ::setenv("LANG", "de_DE.UTF-8", 1);
  EXPECT_EQ(GlyphsOfEnvironment(), Glyphs::kUnicode);
  ::setenv("LC_ALL", "C", 1);
  EXPECT_EQ(GlyphsOfEnvironment(), Glyphs::kAscii);
  ::setenv("LC_ALL", "C.utf8", 1);
  EXPECT_EQ(GlyphsOfEnvironment(), Glyphs::kUnicode);
}

}  // namespace
}  // namespace holostat::app
