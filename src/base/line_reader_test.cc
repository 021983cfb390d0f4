#include "base/line_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "base/test_dir.h"
#include "base/unique_fd.h"

namespace holostat {
namespace {

using Lines = std::vector<std::string>;

class LineReaderTest : public ::testing::Test {
 protected:
  Lines LinesOf(const std::string& text) {
    const UniqueFd fd(::open(folder_.Write("text", text).c_str(), O_RDONLY | O_CLOEXEC));
    LineReader reader(fd.get());
    Lines lines;
    while (const auto line = reader.Next()) lines.emplace_back(*line);
    EXPECT_EQ(reader.error(), 0);
    return lines;
  }

  TestDir folder_;
};

TEST_F(LineReaderTest, GivesEveryLineEmptyOnesAndALastWithoutEnd) {
  EXPECT_EQ(LinesOf(""), Lines{});
  EXPECT_EQ(LinesOf("\n"), Lines{""});
  EXPECT_EQ(LinesOf("a\n\nbc\n"), (Lines{"a", "", "bc"}));
  EXPECT_EQ(LinesOf("a\nbc"), (Lines{"a", "bc"}));
}

TEST_F(LineReaderTest, CutsALineThatIsTooLongAndGoesOnBehindIt) {
  for (const std::size_t size : {4095u, 4096u, 4097u, 8192u, 8193u, 20000u}) {
    const std::string kept(std::min<std::size_t>(size, 4096), 'x');
    EXPECT_EQ(LinesOf("a\n" + std::string(size, 'x') + "\nb\n"), (Lines{"a", kept, "b"})) << size;
    EXPECT_EQ(LinesOf(std::string(size, 'x')), (Lines{kept})) << size;
  }
}

TEST_F(LineReaderTest, SplitsAnyTextAsItsNewlinesSay) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    Lines expected;
    for (int line = 0; line < 40; ++line) {
      const std::size_t size = random() % (round % 2 == 0 ? 40 : 4000);
      expected.emplace_back(size, static_cast<char>(random() | 128));
      text += expected.back() + "\n";
    }
    EXPECT_EQ(LinesOf(text), expected);
  }
}

TEST_F(LineReaderTest, TellsAReadThatFailedFromTheEnd) {
  const UniqueFd folder(::open(folder_.path().c_str(), O_RDONLY | O_CLOEXEC));
  LineReader reader(folder.get());
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_EQ(reader.error(), EISDIR);
}

TEST(KilobytesOf, ReadsTheNumberOfTheNamedLineOnly) {
  EXPECT_EQ(KilobytesOf("Rss:      1756 kB", "Rss"), 1756u * 1024);
  EXPECT_EQ(KilobytesOf("VmHWM:\t    1700 kB", "VmHWM"), 1700u * 1024);
  EXPECT_EQ(KilobytesOf("Pss_Anon:  12 kB", "Pss"), std::nullopt);
  EXPECT_EQ(KilobytesOf("Rss:", "Rss"), std::nullopt);
  EXPECT_EQ(KilobytesOf("Rss: many kB", "Rss"), std::nullopt);
  EXPECT_EQ(KilobytesOf("Rss: -1 kB", "Rss"), std::nullopt);
  EXPECT_EQ(KilobytesOf("Rss: 18014398509481984 kB", "Rss"), std::nullopt);  // 2^64 bytes
  EXPECT_EQ(KilobytesOf("Rss: 99999999999999999999999 kB", "Rss"), std::nullopt);
}

}  // namespace
}  // namespace holostat
