#include "server/chunked_body.h"

#include <gtest/gtest.h>

#include <string>

namespace holostat::server {
namespace {

struct Reading {
  std::string body;
  std::string rest;  // not used up
  bool done = false, failed = false;
};

// Gives `bytes` in pieces of `step`.
Reading Read(const std::string& bytes, std::size_t step) {
  Reading result;
  ChunkedBody body([&](std::span<const std::byte> part) -> Result<void> {
    result.body.append(reinterpret_cast<const char*>(part.data()), part.size());
    return {};
  });
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    result.rest += bytes.substr(at, step);
    const auto used = body.Put(std::as_bytes(std::span(result.rest.data(), result.rest.size())));
    if (!used) {
      result.failed = true;
      return result;
    }
    result.rest.erase(0, *used);
  }
  result.done = body.done();
  return result;
}

TEST(ChunkedBody, IsPutTogetherHoweverItComes) {
  const std::string bytes = "5\r\nhello\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: a\r\n\r\nnext";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    const Reading reading = Read(bytes, step);
    EXPECT_FALSE(reading.failed) << step;
    EXPECT_TRUE(reading.done) << step;
    EXPECT_EQ(reading.body, "hello0123456789") << step;
    EXPECT_EQ(reading.rest, "next") << step;
  }
}

TEST(ChunkedBody, RefusesSizesThatAreNone) {
  for (const char* bytes : {"5\nhello\r\n0\r\n\r\n", "x\r\nhello\r\n", "0x5\r\nhello\r\n0\r\n\r\n",
                            "-5\r\nhello\r\n", " 5\r\nhello\r\n", "5\r\nhelloX\r\n0\r\n\r\n",
                            "fffffffffffffffff\r\nhello\r\n", "5 \n\r\nhello\r\n"}) {
    EXPECT_TRUE(Read(bytes, 1000).failed) << bytes;
    EXPECT_TRUE(Read(bytes, 1).failed) << bytes;
  }
}

TEST(ChunkedBody, EndsWithTheErrorOfItsSink) {
  ChunkedBody body([](std::span<const std::byte>) -> Result<void> {
    return Fail(ErrorCode::kLimitExceeded, "full");
  });
  const std::string bytes = "5\r\nhello\r\n";
  const auto used = body.Put(std::as_bytes(std::span(bytes.data(), bytes.size())));
  ASSERT_FALSE(used);
  EXPECT_EQ(used.error().code, ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace holostat::server
