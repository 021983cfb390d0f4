#include "ipc/message.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace holostat::ipc {
namespace {

using Bytes = std::vector<std::byte>;

Bytes Encoded(const Message& message) {
  std::array<std::byte, kMaxMessageBytes> buffer;
  const std::size_t size = Encode(message, buffer);
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size)};
}

// Every alternative, with no two fields alike.
std::vector<Message> OneOfEach() {
  return {
      ZygoteReady{.pid = 0x01020304, .models = 6, .load_ms = 345, .heap_bytes = 1ull << 40},
      ForkWorker{.worker_id = 7, .answer_bytes = 1 << 20, .fault = "slow=500ms"},
      WorkerForked{.worker_id = 7, .pid = 0, .error_number = -11},
      WorkerReady{.worker_id = 7, .pid = 4242},
      Job{.request_id = 99,
          .attempt = 2,
          .request_bytes = 1234,
          .complexity = Complexity::kHeavy,
          .format = AnswerFormat::kMask,
          .refine_face = false,
          .segmentation = true,
          .people = 3,
          .fault = std::string("leak\0:1MB", 9)},
      JobDone{.request_id = 99,
              .attempt = 2,
              .error = static_cast<std::uint8_t>(ErrorCode::kInternal),
              .answer_bytes = 555,
              .answer_hash = 0xfedcba9876543210,
              .inference_us = 23000,
              .heap_bytes = std::numeric_limits<std::uint64_t>::max()},
      Trim{},
      HeapCommand{.command_id = 5, .action = HeapCommand::Action::kDump, .sample_log2 = 30},
      HeapDone{.command_id = 5, .error = 0, .text = "why"},
      Stop{},
  };
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
  EXPECT_EQ(value.format, AnswerFormat::kMask);
  EXPECT_FALSE(value.refine_face);
  EXPECT_TRUE(value.segmentation);
  EXPECT_EQ(value.people, 3);
  EXPECT_EQ(value.fault, std::string("leak\0:1MB", 9));
  const auto forked = Decode(Encoded(OneOfEach()[2]));
  ASSERT_TRUE(forked);
  EXPECT_EQ(std::get<WorkerForked>(*forked).error_number, -11);
}

// The bytes of version 1, by hand: a process of another build of this version must read them.
TEST(Message, HasTheBytesOfVersionOne) {
  const Bytes expected{std::byte{'H'}, std::byte{'O'}, std::byte{'L'}, std::byte{'O'},
                       std::byte{1},   std::byte{0},  // version
                       std::byte{4},   std::byte{0},  // WorkerReady
                       std::byte{7},   std::byte{0},   std::byte{0},   std::byte{0},
                       std::byte{146}, std::byte{16},  std::byte{0},   std::byte{0}};
  EXPECT_EQ(Encoded(WorkerReady{.worker_id = 7, .pid = 4242}), expected);
  const std::vector<std::size_t> sizes{28, 32, 20, 16, 44, 49, 8, 18, 22, 8};
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
  EXPECT_TRUE(IsCorrupt(Encoded(Job{.format = AnswerFormat{6}})));
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

}  // namespace
}  // namespace holostat::ipc
