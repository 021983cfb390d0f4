#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/read_file.h"

namespace holostat::engine {

// The models of the tracker.
inline constexpr std::array<std::string_view, 9> kModelNames = {
    "face_detection_short_range", "face_landmark",       "face_landmark_with_attention",
    "hand_landmark_full",         "hand_recrop",         "pose_detection",
    "pose_landmark_full",         "pose_landmark_heavy", "pose_landmark_lite",
};

inline std::filesystem::path ModelPath(std::string_view name) {
  return std::filesystem::path(HOLOSTAT_MODELS_DIR) / (std::string(name) + ".tflite");
}

// REQUIRES: the model is there; tests that cannot be sure of it derive from ModelTest.
inline std::vector<std::uint8_t> ReadModelFile(std::string_view name) {
  auto file = ReadFile(ModelPath(name), std::uint64_t{64} << 20);
  EXPECT_TRUE(file) << file.error().message;
  return std::move(file).value();
}

// A test of one model, skipped where the models have not been fetched.
class ModelTest : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ModelPath(GetParam()))) {
      GTEST_SKIP() << ModelPath(GetParam()) << " is missing: run ./dev setup";
    }
  }
};

inline std::string ModelTestName(const testing::TestParamInfo<std::string_view>& info) {
  return std::string(info.param);
}

}  // namespace holostat::engine
