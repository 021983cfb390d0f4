// Replays the seeds and findings of tflite_reader_fuzz.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/read_file.h"
#include "engine/reference_exercise.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;

TEST(ReadTflite, SurvivesTheCorpusOfTheFuzzer) {
  const auto folder = std::filesystem::path(HOLOSTAT_SOURCE_DIR) / "fuzz/corpus/tflite_reader";
  int readable = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    const auto file = ReadFile(entry.path(), kMaxFileBytes);
    ASSERT_TRUE(file) << file.error().message;
    ExerciseModelFile(*file);  // aborts when a promise is broken
    if (ReadTflite(*file)) ++readable;
  }
  EXPECT_GE(readable, 20) << "the seeds are models that can be read";
}

}  // namespace
}  // namespace holostat::engine
