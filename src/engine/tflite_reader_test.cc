// The reader on the models we run, whole and damaged. Files that are wrong in one respect each are
// in tflite_reader_malformed_test.cc.
#include "engine/tflite_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/model_test_support.h"
#include "engine/session.h"

namespace holostat::engine {
namespace {

class ReaderOnModel : public ModelTest {
 protected:
  std::vector<std::uint8_t> Bytes() const { return ReadModelFile(GetParam()); }
};

TEST_P(ReaderOnModel, ReadsIt) {
  const auto file = Bytes();
  const auto graph = ReadTflite(file);
  ASSERT_TRUE(graph) << graph.error().message;
  ASSERT_EQ(graph->inputs.size(), 1U);
  const Shape& input = graph->tensors[graph->inputs[0]].shape;
  EXPECT_EQ(input.size(), 4U);
  EXPECT_EQ(input.back(), 3);
  EXPECT_FALSE(graph->outputs.empty());
  EXPECT_FALSE(graph->nodes.empty());
}

TEST_P(ReaderOnModel, RefusesItCutShort) {
  const auto whole = Bytes();
  for (std::size_t i = 0; i < 64; ++i) {
    // A copy of its own size, so that the sanitizer sees a read past the end.
    const std::vector<std::uint8_t> cut(
        whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() * i / 64));
    const auto graph = ReadTflite(cut);
    ASSERT_FALSE(graph) << "at " << cut.size() << " of " << whole.size();
    EXPECT_EQ(graph.error().code, ErrorCode::kCorruptData);
    EXPECT_FALSE(graph.error().message.empty());
  }
}

// Damage to weights cannot be told from other weights; damage to anything else must be told, or be
// harmless: a session of what was read runs.
TEST_P(ReaderOnModel, SurvivesFlippedBits) {
  auto bytes = Bytes();
  std::minstd_rand random(20'260'101);
  // Structure lies at both ends of the files, weights between.
  const std::size_t edge = std::min<std::size_t>(bytes.size() / 2, 30'000);
  std::uniform_int_distribution<std::size_t> positions(0, 2 * edge - 1);
  int refused = 0;
  for (int i = 0; i < 200; ++i) {
    std::size_t at = positions(random);
    if (at >= edge) at = bytes.size() - 1 - (at - edge);
    const auto bit = static_cast<std::uint8_t>(1U << random() % 8);
    bytes[at] ^= bit;
    const auto graph = ReadTflite(bytes);
    if (!graph) {
      ++refused;
      EXPECT_FALSE(graph.error().message.empty());
    } else if (i % 16 == 0) {
      auto session = Session::Create(bytes, {});
      if (session) {
        EXPECT_TRUE((*session)->Run());
      }
    }
    bytes[at] ^= bit;
  }
  EXPECT_GT(refused, 10);  // the flips did hit structure
}

INSTANTIATE_TEST_SUITE_P(, ReaderOnModel, testing::ValuesIn(kModelNames), ModelTestName);

TEST(ReadTflite, RefusesAMisalignedFile) {
  alignas(16) std::array<std::uint8_t, 64> bytes{};
  const auto graph = ReadTflite(std::span(bytes).subspan(1));
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace holostat::engine
