#include "base/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/test_dir.h"

namespace holostat {
namespace {

std::string Text(const Result<std::vector<std::uint8_t>>& bytes) {
  return bytes ? std::string(bytes->begin(), bytes->end()) : bytes.error().message;
}

TEST(ReadFile, GivesAllBytes) {
  const TestDir dir;
  std::string contents(300'000, 'x');
  contents[7] = '\0';
  contents.back() = 'y';
  EXPECT_EQ(Text(ReadFile(dir.Write("a", contents), contents.size())), contents);
  EXPECT_EQ(Text(ReadFile(dir.Write("empty", ""), 0)), "");
}

TEST(ReadFile, RefusesWhatItCannotRead) {
  const TestDir dir;
  EXPECT_EQ(ReadFile(dir / "none", 9).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ReadFile(dir.path(), 9).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(ReadFile(dir.Write("big", "123456"), 5).error().code, ErrorCode::kLimitExceeded);
}

TEST(ReadFile, DoesNotWaitForTheWriterOfAPipe) {
  const TestDir dir;
  ASSERT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(dir / "fifo", 9).error().code, ErrorCode::kUnavailable);
}

TEST(ReadFile, GivesWhatIsLeftOfAFileThatIsCutMeanwhile) {
  const TestDir dir;
  const auto path = dir.Write("a", std::string(100'000, 'x'));
  const auto file = OpenRegularFile(path, 100'000);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, 3);
  EXPECT_EQ(Text(ReadOpenFile(*file, path)), "xxx");
}

TEST(ReadFile, DoesNotFollowAFileThatGrowsMeanwhile) {
  const TestDir dir;
  const auto path = dir.Write("a", "12345");
  const auto file = OpenRegularFile(path, 5);
  ASSERT_TRUE(file);
  std::ofstream(path, std::ios::app) << "678";
  EXPECT_EQ(Text(ReadOpenFile(*file, path)), "12345");
}

TEST(ReadFile, SaysThatAFileIsTooLargeForTheMemory) {
  const RegularFile file{UniqueFd(), std::uint64_t{1} << 63};
  EXPECT_EQ(ReadOpenFile(file, "a").error().code, ErrorCode::kOverloaded);
}

}  // namespace
}  // namespace holostat
