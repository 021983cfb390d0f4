#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "base/test_dir.h"

namespace holostat {
namespace {

TEST(MappedFile, GivesTheBytesAndSurvivesMoves) {
  const TestDir dir;
  auto file = MappedFile::Open(dir.Write("a", "hello"), 100);
  ASSERT_TRUE(file);
  MappedFile moved = *std::move(file);
  EXPECT_EQ(std::string(moved.bytes().begin(), moved.bytes().end()), "hello");
}

TEST(MappedFile, AnEmptyFileIsAnEmptySpan) {
  const TestDir dir;
  auto file = MappedFile::Open(dir.Write("empty", ""), 100);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, AMissingFileIsNotFound) {
  const TestDir dir;
  EXPECT_EQ(MappedFile::Open(dir / "none", 100).error().code, ErrorCode::kNotFound);
}

TEST(MappedFile, AFileOverTheLimitIsRefused) {
  const TestDir dir;
  EXPECT_EQ(MappedFile::Open(dir.Write("big", "123456"), 5).error().code,
            ErrorCode::kLimitExceeded);
}

TEST(MappedFile, ADirectoryOrPipeIsUnavailableAndDoesNotBlock) {
  const TestDir dir;
  EXPECT_EQ(MappedFile::Open(dir.path(), 100).error().code, ErrorCode::kUnavailable);
  const auto fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::Open(fifo, 100).error().code, ErrorCode::kUnavailable);
}

TEST(MappedFile, EveryPathClosesItsDescriptor) {
  const TestDir dir;
  const auto count = [] {
    const std::filesystem::directory_iterator fds("/proc/self/fd");
    return std::distance(begin(fds), end(fds));
  };
  const auto path = dir.Write("a", "hello");
  const auto before = count();
  for (int i = 0; i < 100; ++i) {
    (void)MappedFile::Open(path, 100);
    (void)MappedFile::Open(path, 1);
    (void)MappedFile::Open(dir.path(), 100);
  }
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace holostat
