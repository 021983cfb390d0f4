#include "app/output_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/test_dir.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class OutputFileTest : public ::testing::Test {
 protected:
  TestDir dir_;
};

TEST_F(OutputFileTest, AReplacedFileKeepsItsPermissions) {
  const auto path = dir_ / "a.json";
  ASSERT_TRUE(WriteFile(path, "x"));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(WriteFile(path, "y"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileTest, ALinkStaysALink) {
  std::ofstream(dir_ / "real.json") << "old";
  fs::create_symlink("real.json", dir_ / "link.json");
  ASSERT_TRUE(WriteFile(dir_ / "link.json", "new"));
  EXPECT_TRUE(fs::is_symlink(dir_ / "link.json"));
  EXPECT_EQ(ReadAll(dir_ / "real.json"), "new");
}

TEST_F(OutputFileTest, APlantedLinkIsNotFollowed) {
  std::ofstream(dir_ / "victim") << "precious";
  fs::create_symlink("victim", dir_ / fmt::format("a.json.{}.part", ::getpid()));
  EXPECT_FALSE(WriteFile(dir_ / "a.json", "x"));
  EXPECT_EQ(ReadAll(dir_ / "victim"), "precious");
}

TEST_F(OutputFileTest, AFileIsReplacedWholeAndNothingIsLeftBeside) {
  ASSERT_TRUE(WriteFile(dir_ / "a.json", "first, and longer"));
  ASSERT_TRUE(WriteFile(dir_ / "a.json", "second"));
  EXPECT_EQ(ReadAll(dir_ / "a.json"), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path()), {}), 1);
}

TEST_F(OutputFileTest, MissingFoldersAreMade) {
  ASSERT_TRUE(WriteFile(dir_ / "out/of/a.json", "x"));
  EXPECT_EQ(ReadAll(dir_ / "out/of/a.json"), "x");
}

TEST_F(OutputFileTest, AFullDiskOrAFileForAFolderIsAnError) {
  dir_.Write("file", "x");
  const auto below_a_file = WriteFile(dir_ / "file/a.json", "x");
  ASSERT_FALSE(below_a_file);
  EXPECT_EQ(below_a_file.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(below_a_file.error().message.find(".part"), std::string::npos);
  EXPECT_EQ(WriteFile("/dev/full", "x").error().code, ErrorCode::kUnavailable);
}

TEST_F(OutputFileTest, APartShowsUnderItsNameWhenItIsFinished) {
  ASSERT_TRUE(WriteFile(dir_ / "a.bvh", "old"));
  {
    auto file = PartFile::Open(dir_ / "a.bvh");
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->Append("Frames: 000\nfirst\n"));
    ASSERT_TRUE(file->Overwrite(8, "012"));
    ASSERT_TRUE(file->Append("second\n"));
    EXPECT_EQ(ReadAll(dir_ / "a.bvh"), "old");
    ASSERT_TRUE(file->Finish());
  }
  EXPECT_EQ(ReadAll(dir_ / "a.bvh"), "Frames: 012\nfirst\nsecond\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path()), {}), 1);
}

TEST_F(OutputFileTest, APartThatIsNotFinishedIsRemoved) {
  {
    auto file = PartFile::Open(dir_ / "a.bvh");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->Append("half"));
    const PartFile moved = *std::move(file);
    EXPECT_FALSE(fs::is_empty(dir_.path()));
  }
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

TEST_F(OutputFileTest, AFullDiskLeavesNoPart) {
  auto file = PartFile::Open("/dev/full");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->Append("x"));
  EXPECT_EQ(file->Finish().error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace holostat::app
