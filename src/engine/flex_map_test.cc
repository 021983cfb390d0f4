#include "engine/flex_map.h"

#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace holostat::engine {
namespace {

using testing::ElementsAre;

std::vector<std::uint8_t> Build(const std::function<void(flexbuffers::Builder&)>& fill) {
  flexbuffers::Builder builder;
  builder.Map([&] { fill(builder); });
  builder.Finish();
  return builder.GetBuffer();
}

const std::vector<std::uint8_t>& Example() {
  static const auto* bytes = new std::vector<std::uint8_t>(Build([](flexbuffers::Builder& map) {
    map.Int("small", -3);
    map.Int("large", 100'000);
    map.UInt("unsigned", 200);
    map.Float("half", 0.5F);
    map.Double("double", 0.25);
    map.IndirectInt("far", 1234);
    map.IndirectFloat("far_float", 1.5F);
    map.TypedVector("list", [&] {
      for (const int value : {5, -6, 700}) map.Int(value);
    });
    map.String("text", "no number");
  }));
  return *bytes;
}

TEST(FlexMap, ReadsNumbersOfEveryWidth) {
  const auto map = FlexMap::Parse(Example());
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(map->Int("small"), -3);
  EXPECT_EQ(map->Int("large"), 100'000);
  EXPECT_EQ(map->Int("unsigned"), 200);
  EXPECT_EQ(map->Int("far"), 1234);
  EXPECT_EQ(map->Float("half"), 0.5F);
  EXPECT_EQ(map->Float("double"), 0.25F);
  EXPECT_EQ(map->Float("far_float"), 1.5F);
}

TEST(FlexMap, ReadsUnsignedNumbersOfOneByteAsPositive) {
  const auto bytes = Build([](flexbuffers::Builder& map) { map.UInt("n", 200); });
  EXPECT_EQ(FlexMap::Parse(bytes)->Int("n"), 200);
}

TEST(FlexMap, ReadsLists) {
  EXPECT_THAT(FlexMap::Parse(Example())->IntList("list").value(), ElementsAre(5, -6, 700));
}

TEST(FlexMap, RefusesAMissingKey) {
  const auto value = FlexMap::Parse(Example())->Int("smal");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, ErrorCode::kCorruptData);
}

TEST(FlexMap, RefusesAValueOfAnotherKind) {
  const auto map = FlexMap::Parse(Example());
  EXPECT_FALSE(map->Int("half"));
  EXPECT_FALSE(map->Float("small"));
  EXPECT_FALSE(map->IntList("text"));
  EXPECT_FALSE(map->Int("list"));
}

TEST(FlexMap, RefusesANumberBeyond32Bits) {
  const auto bytes = Build([](flexbuffers::Builder& map) { map.Int("n", std::int64_t{1} << 40); });
  EXPECT_FALSE(FlexMap::Parse(bytes)->Int("n"));
}

TEST(FlexMap, RefusesADoubleBeyondFloat) {
  const auto bytes = Build([](flexbuffers::Builder& map) { map.Double("n", 1e300); });
  EXPECT_FALSE(FlexMap::Parse(bytes)->Float("n"));
}

// Reads everything there may be; the sanitizers tell whether that stays inside the bytes.
void ReadAll(const std::vector<std::uint8_t>& bytes) {
  const auto map = FlexMap::Parse(bytes);
  if (!map) return;
  for (const char* key : {"small", "unsigned", "far", "half", "double", "far_float", "list"}) {
    static_cast<void>(map->Int(key));
    static_cast<void>(map->Float(key));
    const auto list = map->IntList(key);
    if (list) {
      EXPECT_LE(list->size(), bytes.size());
    }
  }
}

TEST(FlexMap, StaysInsideBytesThatAreCutShort) {
  for (std::size_t size = 0; size < Example().size(); ++size) {
    ReadAll({Example().begin(), Example().begin() + static_cast<std::ptrdiff_t>(size)});
    ReadAll({Example().end() - static_cast<std::ptrdiff_t>(size), Example().end()});
  }
}

TEST(FlexMap, StaysInsideBytesThatAreWrong) {
  for (std::size_t at = 0; at < Example().size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      auto bytes = Example();
      bytes[at] = static_cast<std::uint8_t>(value);
      ReadAll(bytes);
    }
  }
}

}  // namespace
}  // namespace holostat::engine
