#include "app/models_dir.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/test_dir.h"
#include "vision/model_store.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;

class ModelsDirTest : public ::testing::Test {
 protected:
  ModelsDirTest() {
    ::unsetenv("HOLOSTAT_MODELS");
    ::setenv("XDG_DATA_HOME", (dir_ / "xdg").c_str(), 1);
  }
  ~ModelsDirTest() override {
    ::unsetenv("HOLOSTAT_MODELS");
    ::unsetenv("XDG_DATA_HOME");
  }

  fs::path MakeModels(const std::string& name) {
    const fs::path dir = dir_ / name;
    fs::create_directories(dir);
    std::ofstream(dir / "hand_recrop.tflite") << "x";
    return dir;
  }

  TestDir dir_;
};

TEST_F(ModelsDirTest, TheOptionBeatsTheVariableBeatsTheDataFolder) {
  const auto option = MakeModels("option");
  const auto variable = MakeModels("variable");
  const auto data = MakeModels("xdg/holostat/models");
  EXPECT_EQ(LocateModels("").value(), data);
  ::setenv("HOLOSTAT_MODELS", variable.c_str(), 1);
  EXPECT_EQ(LocateModels("").value(), variable);
  EXPECT_EQ(LocateModels(option.string()).value(), option);
}

TEST_F(ModelsDirTest, AStrayFileDoesNotHideAWholeSet) {
  const fs::path share = dir_ / "xdg/holostat/models";
  MakeModels("xdg/holostat/models");
  EXPECT_EQ(LocateModels("").value(), share) << "the only folder with any";
  const auto beside_the_build = ModelSearchPath("").back();
  std::error_code none;
  if (!fs::exists(beside_the_build, none)) {
    fs::create_directories(beside_the_build);
    for (const auto& model : vision::KnownModels())
      std::ofstream(beside_the_build / model.file) << "x";
    EXPECT_EQ(LocateModels("").value(), beside_the_build);
    fs::remove_all(beside_the_build);
  }
}

TEST_F(ModelsDirTest, AnExplicitPlaceWithoutModelsIsAnErrorThatNamesIt) {
  MakeModels("xdg/holostat/models");
  const auto result = LocateModels((dir_ / "nothing").string());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_NE(result.error().message.find((dir_ / "nothing").string()), std::string::npos);
}

TEST_F(ModelsDirTest, TheBuildFolderComesLast) {
  const auto path = ModelSearchPath("");
  ASSERT_GE(path.size(), 3u);
  EXPECT_EQ(path.front(), dir_ / "xdg/holostat/models");
  EXPECT_EQ(path.back().filename(), "models");
}

}  // namespace
}  // namespace holostat::app
