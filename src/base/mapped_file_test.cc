#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace holostat {
namespace {

class MappedFileTest : public ::testing::Test {
 protected:
  MappedFileTest()
      : dir_(std::filesystem::path(::testing::TempDir()) / "holostat_mapped_file_test") {
    std::filesystem::create_directories(dir_);
  }
  ~MappedFileTest() override { std::filesystem::remove_all(dir_); }

  std::filesystem::path Write(const std::string& name, const std::string& contents) {
    std::ofstream(dir_ / name, std::ios::binary) << contents;
    return dir_ / name;
  }

  std::filesystem::path dir_;
};

TEST_F(MappedFileTest, GivesTheBytesAndSurvivesMoves) {
  auto file = MappedFile::Open(Write("a", "hello"), 100);
  ASSERT_TRUE(file);
  MappedFile moved = *std::move(file);
  EXPECT_EQ(std::string(moved.bytes().begin(), moved.bytes().end()), "hello");
}

TEST_F(MappedFileTest, AnEmptyFileIsAnEmptySpan) {
  auto file = MappedFile::Open(Write("empty", ""), 100);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFileTest, AMissingFileIsNotFound) {
  EXPECT_EQ(MappedFile::Open(dir_ / "none", 100).error().code, ErrorCode::kNotFound);
}

TEST_F(MappedFileTest, AFileOverTheLimitIsRefused) {
  EXPECT_EQ(MappedFile::Open(Write("big", "123456"), 5).error().code, ErrorCode::kLimitExceeded);
}

TEST_F(MappedFileTest, ADirectoryOrPipeIsUnavailableAndDoesNotBlock) {
  EXPECT_EQ(MappedFile::Open(dir_, 100).error().code, ErrorCode::kUnavailable);
  const auto fifo = dir_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::Open(fifo, 100).error().code, ErrorCode::kUnavailable);
}

TEST_F(MappedFileTest, EveryPathClosesItsDescriptor) {
  const auto count = [] {
    const std::filesystem::directory_iterator fds("/proc/self/fd");
    return std::distance(begin(fds), end(fds));
  };
  const auto path = Write("a", "hello");
  const auto before = count();
  for (int i = 0; i < 100; ++i) {
    (void)MappedFile::Open(path, 100);
    (void)MappedFile::Open(path, 1);
    (void)MappedFile::Open(dir_, 100);
  }
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace holostat
