#include "ipc/message.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "ipc/message_samples.h"

namespace holostat::ipc {
namespace {

using Bytes = std::vector<std::byte>;

std::vector<Message> OneOfEach() {
  std::vector<Message> messages;
  for (const auto& sample : MessageSamples()) messages.push_back(sample.message);
  return messages;
}

Bytes Read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  Bytes bytes;
  for (char c = 0; stream.get(c);) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

testing::AssertionResult IsCorrupt(const Bytes& bytes) {
  const auto message = Decode(bytes);
  if (message) return testing::AssertionFailure() << "decoded as type " << message->index();
  return message.error().code == ErrorCode::kCorruptData
             ? testing::AssertionSuccess()
             : testing::AssertionFailure() << message.error().message;
}

TEST(Message, EveryTypeComesBackAsItWas) {
  const auto messages = OneOfEach();
  ASSERT_EQ(messages.size(), std::variant_size_v<Message>);
  for (std::size_t k = 0; k < messages.size(); ++k) {
    SCOPED_TRACE(k);
    ASSERT_EQ(messages[k].index(), k);
    const auto decoded = Decode(Encoded(messages[k]));
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(decoded->index(), k);
    EXPECT_EQ(Encoded(*decoded), Encoded(messages[k]));
  }
}

TEST(Message, FieldsComeBackInTheirPlaces) {
  const auto job = Decode(Encoded(OneOfEach()[4]));
  ASSERT_TRUE(job);
  const auto& value = std::get<Job>(*job);
  EXPECT_EQ(value.request_id, 99u);
  EXPECT_EQ(value.attempt, 2u);
  EXPECT_EQ(value.request_bytes, 1234u);
  EXPECT_EQ(value.complexity, Complexity::kHeavy);
  EXPECT_EQ(value.format, AnswerFormat::kBinary);
  EXPECT_FALSE(value.refine_face);
  EXPECT_TRUE(value.segmentation);
  EXPECT_EQ(value.people, 3);
  EXPECT_EQ(value.input, InputKind::kRgba8);
  EXPECT_EQ(value.width, 640u);
  EXPECT_EQ(value.height, 480u);
  EXPECT_EQ(value.session, 0x1122334455667788u);
  EXPECT_EQ(value.frame, 41u);
  EXPECT_EQ(value.timestamp_us, -33'333);
  EXPECT_TRUE(value.reset);
  EXPECT_EQ(value.fault, std::string("leak\0:1MB", 9));
  const auto forked = Decode(Encoded(OneOfEach()[2]));
  ASSERT_TRUE(forked);
  EXPECT_EQ(std::get<WorkerForked>(*forked).error_number, -11);
}

// The bytes of version 2, by hand: a process of another build of this version must read them.
TEST(Message, HasTheBytesOfVersionTwo) {
  const Bytes expected{std::byte{'H'}, std::byte{'O'}, std::byte{'L'}, std::byte{'O'},
                       std::byte{2},   std::byte{0},  // version
                       std::byte{4},   std::byte{0},  // WorkerReady
                       std::byte{7},   std::byte{0},   std::byte{0},   std::byte{0},
                       std::byte{146}, std::byte{16},  std::byte{0},   std::byte{0}};
  EXPECT_EQ(Encoded(WorkerReady{.worker_id = 7, .pid = 4242}), expected);
  const std::vector<std::size_t> sizes{28, 32, 20, 16, 78, 57, 8, 18, 22, 8};
  const auto messages = OneOfEach();
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const auto bytes = Encoded(messages[k]);
    EXPECT_EQ(bytes.size(), sizes[k]) << k;
    EXPECT_EQ(std::to_integer<std::size_t>(bytes[6]), k + 1);  // happens to be the order
  }
}

TEST(Message, PartsAndBytesLeftOverAreCorrupt) {
  for (const auto& message : OneOfEach()) {
    auto bytes = Encoded(message);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_TRUE(IsCorrupt({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}));
    bytes.push_back(std::byte{0});
    EXPECT_TRUE(IsCorrupt(bytes));
  }
}

TEST(Message, AnotherMagicVersionOrTypeIsCorrupt) {
  for (const std::size_t at : {0u, 3u, 4u, 5u, 7u}) {
    auto bytes = Encoded(Stop{});
    bytes[at] ^= std::byte{0x40};
    EXPECT_TRUE(IsCorrupt(bytes)) << at;
  }
  for (const unsigned type : {0u, 11u, 255u}) {
    auto bytes = Encoded(Stop{});
    bytes[6] = static_cast<std::byte>(type);
    EXPECT_TRUE(IsCorrupt(bytes)) << type;
  }
}

TEST(Message, ValuesThatAFieldCannotHaveAreCorrupt) {
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.complexity = Complexity{0}})));
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.complexity = Complexity{4}})));
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.format = AnswerFormat{0}})));
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.format = AnswerFormat{9}})));
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.input = InputKind{0}})));
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.input = InputKind{4}})));
  EXPECT_TRUE(IsCorrupt(Encoded(HeapCommand{.action = HeapCommand::Action{4}})));
  EXPECT_TRUE(IsCorrupt(Encoded(HeapCommand{.sample_log2 = 9})));
  EXPECT_TRUE(IsCorrupt(Encoded(HeapCommand{.sample_log2 = 31})));
  EXPECT_TRUE(IsCorrupt(Encoded(JobDone{.error = 10})));
  EXPECT_TRUE(IsCorrupt(Encoded(HeapDone{.error = 255})));
  auto job = Encoded(Job{});
  job[30] = std::byte{2};  // refine_face
  EXPECT_TRUE(IsCorrupt(job));
}

TEST(Message, ALongTextIsCutWhenWrittenAndCorruptWhenRead) {
  const auto cut = Decode(Encoded(HeapDone{.text = std::string(5000, 'x')}));
  ASSERT_TRUE(cut);
  EXPECT_EQ(std::get<HeapDone>(*cut).text, std::string(kMaxTextBytes, 'x'));

  auto bytes = Encoded(HeapDone{.text = std::string(kMaxTextBytes, 'x')});
  bytes.push_back(std::byte{'x'});
  bytes[17] = std::byte{0x01};  // the length: 1025, and so many bytes are there
  ASSERT_EQ(bytes[18], std::byte{0x04});
  EXPECT_TRUE(IsCorrupt(bytes));
}

// What the fuzzer checks of millions of inputs, for each single-bit error of each message.
TEST(Message, WhateverIsAcceptedEncodesToTheSameBytes) {
  std::size_t accepted = 0;
  for (const auto& message : OneOfEach()) {
    auto bytes = Encoded(message);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      const auto decoded = Decode(bytes);
      if (decoded) {
        ++accepted;
        EXPECT_EQ(Encoded(*decoded), bytes);
      }
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  }
  EXPECT_GT(accepted, 500u);
}

const std::filesystem::path kCorpus =
    std::filesystem::path(HOLOSTAT_SOURCE_DIR) / "fuzz/corpus/message";

// The seeds are committed: a change of the format under the same version shows here.
TEST(Message, HasTheBytesOfTheCommittedSeeds) {
  for (const auto& sample : MessageSamples())
    EXPECT_EQ(Encoded(sample.message), Read(kCorpus / sample.name)) << sample.name;
}

std::string TypeName(std::string_view snake_case) {
  std::string name;
  bool upper = true;
  for (const char c : snake_case) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return name;
}

TEST(Message, IsDocumentedWithItsNumberAndSize) {
  std::ifstream stream(std::filesystem::path(HOLOSTAT_SOURCE_DIR) / "docs/ipc.md");
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  std::size_t number = 0;
  for (const auto& [name, message] : MessageSamples()) {
    const std::size_t text = std::visit(
        [](const auto& of) -> std::size_t {
          if constexpr (requires { of.fault; }) return of.fault.size();
          if constexpr (requires { of.text; }) return of.text.size();
          return 0;
        },
        message);
    const std::string row = fmt::format("\n| {} | `{}` | {}{} |", ++number, TypeName(name),
                                        Encoded(message).size() - text, text > 0 ? " + text" : "");
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(Message, KeepsItsPromisesForWhatFuzzingFound) {
  std::size_t accepted = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    const Bytes bytes = Read(entry.path());
    const auto message = Decode(bytes);
    if (message) {
      EXPECT_EQ(Encoded(*message), bytes) << entry.path();
    } else {
      EXPECT_EQ(message.error().code, ErrorCode::kCorruptData) << entry.path();
    }
    ++(message ? accepted : refused);
  }
  EXPECT_GE(accepted, std::variant_size_v<Message>);
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace holostat::ipc
