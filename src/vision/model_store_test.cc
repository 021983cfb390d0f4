#include "vision/model_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace holostat::vision {
namespace {

namespace fs = std::filesystem;

class ModelStoreTest : public ::testing::Test {
 protected:
  ModelStoreTest() : dir_(fs::path(::testing::TempDir()) / "holostat_model_store_test") {
    fs::create_directories(dir_);
  }
  ~ModelStoreTest() override { fs::remove_all(dir_); }

  void Write(ModelId id, std::size_t bytes) {
    std::ofstream(dir_ / GetModelInfo(id).file, std::ios::binary) << std::string(bytes, 'x');
  }
  ErrorCode Open(ModelId id) {
    auto file = OpenModel(dir_, id);
    EXPECT_FALSE(file);
    return file ? ErrorCode::kInternal : file.error().code;
  }

  fs::path dir_;
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
  EXPECT_EQ(Open(ModelId::kHandRecrop), ErrorCode::kNotFound);
}

TEST_F(ModelStoreTest, AWrongSizeIsCorrupt) {
  const auto bytes = GetModelInfo(ModelId::kHandRecrop).bytes;
  for (std::size_t size : {std::size_t{0}, std::size_t{bytes - 1}, std::size_t{bytes + 1}}) {
    Write(ModelId::kHandRecrop, size);
    EXPECT_EQ(Open(ModelId::kHandRecrop), ErrorCode::kCorruptData) << size;
  }
}

TEST_F(ModelStoreTest, WrongContentsAreCorrupt) {
  Write(ModelId::kHandRecrop, GetModelInfo(ModelId::kHandRecrop).bytes);
  EXPECT_EQ(Open(ModelId::kHandRecrop), ErrorCode::kCorruptData);
}

TEST(ModelFiles, AreTheOnesInTheTable) {
  if (!fs::exists(HOLOSTAT_MODELS_DIR)) GTEST_SKIP() << "no models in " HOLOSTAT_MODELS_DIR;
  for (const ModelInfo& info : KnownModels()) {
    auto file = OpenModel(HOLOSTAT_MODELS_DIR, info.id);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->bytes().size(), info.bytes);
  }
}

}  // namespace
}  // namespace holostat::vision
