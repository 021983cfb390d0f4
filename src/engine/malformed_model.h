#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/model_builder.h"
#include "engine/tflite_reader.h"

// What the tests of wrong model files share. For tests only.
namespace holostat::engine {

inline constexpr std::int32_t kInt32Max = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t kInt32Min = std::numeric_limits<std::int32_t>::min();

// Expects an error with this code and these words in its message.
inline void ExpectRefused(const ModelSpec& spec, ErrorCode code, const std::string& message) {
  const std::vector<std::uint8_t> file = BuildModel(spec);
  const auto graph = ReadTflite(file);
  ASSERT_FALSE(graph) << "was read";
  EXPECT_EQ(ErrorCodeName(graph.error().code), ErrorCodeName(code)) << graph.error().message;
  EXPECT_THAT(graph.error().message, testing::HasSubstr(message));
}

// Applies one change to a fresh copy of the model and expects the file to be refused.
inline void ExpectRefusedWith(ModelSpec spec, const std::function<void(ModelSpec&)>& change,
                              ErrorCode code, const std::string& message) {
  ASSERT_TRUE(ReadTflite(BuildModel(spec))) << "the model is broken before the change";
  change(spec);
  ExpectRefused(spec, code, message);
}

}  // namespace holostat::engine
