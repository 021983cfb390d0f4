#include "runtime/symbolizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace holostat::runtime {
namespace {

using ::testing::EndsWith;

std::string OwnMaps() {
  std::ifstream file("/proc/self/maps");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint64_t AddressOf(const void* code) { return reinterpret_cast<std::uintptr_t>(code); }

// Where its caller goes on.
[[gnu::noinline]] std::uint64_t ReturnAddress() {
  return AddressOf(__builtin_extract_return_addr(__builtin_return_address(0)));
}

volatile int sink = 0;

struct Place {
  std::uint64_t address;
  int line;
};

[[gnu::noinline]] Place NamedFunction() {
  const std::uint64_t address = ReturnAddress();
  sink = 1;  // so that the call above is no jump
  return {address, __LINE__ - 2};
}

[[gnu::always_inline]] inline std::uint64_t Inlined() {
  const std::uint64_t address = ReturnAddress();
  sink = 2;
  return address;
}

[[gnu::noinline]] Place Outer() {
  const std::uint64_t address = Inlined();
  sink = 3;
  return {address, __LINE__ - 2};
}

TEST(Symbolizer, NamesFunctionFileAndLine) {
  const auto symbolizer = Symbolizer::Create(OwnMaps());
  ASSERT_TRUE(symbolizer) << symbolizer.error().message;
  const Place place = NamedFunction();
  const auto frames = (*symbolizer)->Resolve(place.address);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_THAT(frames[0].function, EndsWith("::NamedFunction"));
  EXPECT_THAT(frames[0].file, EndsWith("src/runtime/symbolizer_test.cc"));
  EXPECT_EQ(frames[0].line, place.line);
  EXPECT_THAT(frames[0].module, EndsWith("symbolizer_test"));
}

TEST(Symbolizer, ExpandsWhatWasInlined) {
  const auto symbolizer = Symbolizer::Create(OwnMaps());
  ASSERT_TRUE(symbolizer);
  const Place place = Outer();
  const auto frames = (*symbolizer)->Resolve(place.address);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_THAT(frames[0].function, EndsWith("Inlined"));
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_THAT(frames[1].function, EndsWith("::Outer"));
  EXPECT_FALSE(frames[1].inlined);
  EXPECT_EQ(frames[1].line, place.line);
  EXPECT_THAT(frames[1].file, EndsWith("symbolizer_test.cc"));
}

TEST(Symbolizer, NamesFunctionsOfALibraryWithoutDebuggingInformation) {
  const auto symbolizer = Symbolizer::Create(OwnMaps());
  ASSERT_TRUE(symbolizer);
  char* (*const function)(const char*) = &std::getenv;
  const auto frames = (*symbolizer)->Resolve(AddressOf(reinterpret_cast<void*>(function)) + 4);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_THAT(frames[0].function, EndsWith("getenv"));
  EXPECT_THAT(frames[0].module, ::testing::HasSubstr("libc.so"));
}

TEST(Symbolizer, KnowsNothingOfOtherAddresses) {
  const auto symbolizer = Symbolizer::Create(OwnMaps());
  ASSERT_TRUE(symbolizer);
  for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    const auto frames = (*symbolizer)->Resolve(address);
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0].function + frames[0].file + frames[0].module, "");
  }
}

TEST(Symbolizer, AFileThatIsGoneHasNoNames) {
  const std::string maps =
      "1000-9000 r--p 00000000 fe:00 7 /nowhere/program\n"
      "9000-f000 r-xp 00008000 fe:00 7 /nowhere/program\n";
  const auto symbolizer = Symbolizer::Create(maps);
  ASSERT_TRUE(symbolizer);
  const auto frames = (*symbolizer)->Resolve(0x9100);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "");
  EXPECT_EQ(frames[0].module, "/nowhere/program");
}

TEST(Symbolizer, MappingsThatAreNoneAreRefused) {
  EXPECT_EQ(Symbolizer::Create("").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(Symbolizer::Create("dance\n").error().code, ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace holostat::runtime
