#include "vision/model_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "base/test_dir.h"

namespace holostat::vision {
namespace {

namespace fs = std::filesystem;

class ModelStoreTest : public ::testing::Test {
 protected:
  void Write(ModelId id, std::size_t bytes) {
    dir_.Write(GetModelInfo(id).file, std::string(bytes, 'x'));
  }
  ErrorCode Read(ModelId id) {
    const auto bytes = ReadModel(dir_.path(), id);
    EXPECT_FALSE(bytes);
    return bytes ? ErrorCode::kInternal : bytes.error().code;
  }

  TestDir dir_;
};

TEST(ModelTable, HasEveryModelOnce) {
  std::set<std::string_view> names, hashes;
  for (const ModelInfo& info : KnownModels()) {
    EXPECT_EQ(&GetModelInfo(info.id), &info);
    EXPECT_EQ(std::string(info.name) + ".tflite", info.file);
    EXPECT_EQ(info.sha256.size(), 64u);
    names.insert(info.name);
    hashes.insert(info.sha256);
  }
  EXPECT_EQ(names.size(), 9u);
  EXPECT_EQ(hashes.size(), 9u);
}

TEST_F(ModelStoreTest, AMissingFileIsNotFound) {
  EXPECT_EQ(Read(ModelId::kHandRecrop), ErrorCode::kNotFound);
}

TEST_F(ModelStoreTest, AWrongSizeIsCorrupt) {
  const auto bytes = GetModelInfo(ModelId::kHandRecrop).bytes;
  for (std::size_t size : {std::size_t{0}, std::size_t{bytes - 1}, std::size_t{bytes + 1}}) {
    Write(ModelId::kHandRecrop, size);
    EXPECT_EQ(Read(ModelId::kHandRecrop), ErrorCode::kCorruptData) << size;
  }
}

TEST_F(ModelStoreTest, WrongContentsAreCorrupt) {
  Write(ModelId::kHandRecrop, GetModelInfo(ModelId::kHandRecrop).bytes);
  EXPECT_EQ(Read(ModelId::kHandRecrop), ErrorCode::kCorruptData);
}

TEST(ModelFiles, AreTheOnesInTheTable) {
  if (!fs::exists(HOLOSTAT_MODELS_DIR)) GTEST_SKIP() << "no models in " HOLOSTAT_MODELS_DIR;
  for (const ModelInfo& info : KnownModels()) {
    const auto bytes = ReadModel(HOLOSTAT_MODELS_DIR, info.id);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(bytes->size(), info.bytes);
  }
}

TEST_F(ModelStoreTest, AModelThatWasReadStaysWhenItsFileIsCut) {
  if (!fs::exists(HOLOSTAT_MODELS_DIR)) GTEST_SKIP() << "no models in " HOLOSTAT_MODELS_DIR;
  const ModelInfo& info = GetModelInfo(ModelId::kHandRecrop);
  fs::copy_file(fs::path(HOLOSTAT_MODELS_DIR) / info.file, dir_ / info.file);
  const auto bytes = ReadModel(dir_.path(), info.id);
  ASSERT_TRUE(bytes) << bytes.error().message;
  fs::resize_file(dir_ / info.file, 0);
  EXPECT_EQ(Sha256Hex(*bytes), info.sha256);  // a mapping would end the process here
}

}  // namespace
}  // namespace holostat::vision
