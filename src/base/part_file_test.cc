#include "base/part_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/test_dir.h"

namespace holostat {
namespace {

namespace fs = std::filesystem;

std::string Contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t FilesIn(const TestDir& dir) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()));
}

void Put(const PartFile& file, std::string_view text) {
  HOLO_CHECK(::write(file.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

TEST(PartFile, IsThereWhenItIsWhole) {
  const TestDir dir;
  const auto file = PartFile::Create(dir / "new/a.mp4");
  ASSERT_TRUE(file) << file.error().message;
  Put(**file, "whole");
  EXPECT_FALSE(fs::exists(dir / "new/a.mp4"));
  ASSERT_TRUE((*file)->Commit());
  EXPECT_EQ(Contents(dir / "new/a.mp4"), "whole");
}

TEST(PartFile, LeavesNothingOfWhatIsNotFinished) {
  const TestDir dir;
  dir.Write("a.mp4", "old");
  auto file = PartFile::Create(dir / "a.mp4");
  ASSERT_TRUE(file);
  Put(**file, "new");
  EXPECT_EQ(FilesIn(dir), 2u);
  file->reset();
  EXPECT_EQ(FilesIn(dir), 1u);
  EXPECT_EQ(Contents(dir / "a.mp4"), "old");
}

TEST(PartFile, KeepsPermissionsAndLinks) {
  const TestDir dir;
  fs::permissions(dir.Write("real.mp4", "old"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.mp4", dir / "link.mp4");
  const auto file = PartFile::Create(dir / "link.mp4");
  ASSERT_TRUE(file);
  Put(**file, "new");
  ASSERT_TRUE((*file)->Commit());
  EXPECT_TRUE(fs::is_symlink(dir / "link.mp4"));
  EXPECT_EQ(Contents(dir / "real.mp4"), "new");
  EXPECT_EQ(fs::status(dir / "real.mp4").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(PartFile, WritesToADeviceDirectly) {
  const auto file = PartFile::Create("/dev/null");
  ASSERT_TRUE(file);
  EXPECT_FALSE((*file)->is_regular());
  Put(**file, "gone");
  EXPECT_TRUE((*file)->Commit());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(PartFile, SaysWhyItCannotBeMade) {
  const TestDir dir;
  dir.Write("file", "");
  const auto file = PartFile::Create(dir / "file/a.mp4");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(file.error().message.find("a.mp4: Not a directory"), std::string::npos)
      << file.error().message;
}

}  // namespace
}  // namespace holostat
