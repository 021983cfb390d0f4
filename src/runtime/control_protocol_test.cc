#include "runtime/control_protocol.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace holostat::runtime {
namespace {

TEST(ControlProtocol, ReadsTheHeadsItWrites) {
  const auto ok = ParseControlHead("ok 123");
  ASSERT_TRUE(ok);
  EXPECT_FALSE(ok->error);
  EXPECT_EQ(ok->bytes, 123u);
  for (int code = 1; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    std::string line = FormatControlHead({.error = static_cast<ErrorCode>(code), .bytes = 7});
    EXPECT_LE(line.size(), kMaxControlHeadBytes);
    EXPECT_EQ(line.back(), '\n');
    line.pop_back();
    const auto head = ParseControlHead(line);
    ASSERT_TRUE(head) << line;
    EXPECT_EQ(static_cast<int>(*head->error), code);
    EXPECT_EQ(head->bytes, 7u);
  }
}

TEST(ControlProtocol, RefusesWhatIsNoHead) {
  for (const std::string_view line :
       {"", "ok", "ok ", "ok x", "ok -1", "ok 1 ", "ok 1x", "ok  1", "OK 1", "error", "error 1",
        "error timeout", "error timeout ", "error nothing 1", "error timeout x",
        "error timeout 4097", "ok 67108865", "ok 99999999999999999999999", "HTTP/1.1 200 OK"}) {
    const auto head = ParseControlHead(line);
    ASSERT_FALSE(head) << line;
    EXPECT_EQ(head.error().code, ErrorCode::kCorruptData);
  }
}

TEST(ControlProtocol, TakesAnyBytesForAHead) {
  std::mt19937 random(5);
  const std::string_view letters = "ok error timeout internal 0123456789 -x\n";
  for (int i = 0; i < 200'000; ++i) {
    std::string line(random() % 24, ' ');
    for (char& c : line) c = letters[random() % letters.size()];
    const auto head = ParseControlHead(i % 2 == 0 ? line : "ok " + line);
    EXPECT_LE(head ? head->bytes : 0, kMaxControlAnswerBytes);
  }
}

TEST(ControlProtocol, TellsALineFromGarbage) {
  EXPECT_TRUE(IsControlLine("status --x=1"));
  EXPECT_TRUE(IsControlLine(std::string(1023, 'x')));
  EXPECT_FALSE(IsControlLine(std::string(1024, 'x')));
  EXPECT_FALSE(IsControlLine(""));
  EXPECT_FALSE(IsControlLine("a\nb"));
  EXPECT_FALSE(IsControlLine("caf\xc3\xa9"));
  EXPECT_FALSE(IsControlLine(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace holostat::runtime
