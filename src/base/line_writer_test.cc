#include "base/line_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "base/read_file.h"
#include "base/test_dir.h"

namespace holostat {
namespace {

std::string TakeAll(int fd) {
  std::string all;
  char bytes[65536];
  for (;;) {
    const ssize_t size = ::read(fd, bytes, sizeof bytes);
    if (size <= 0) return all;
    all.append(bytes, static_cast<std::size_t>(size));
  }
}

std::string NumberedLine(int number, std::size_t length) {
  std::string line = std::to_string(number);
  line.resize(length - 1, '.');
  return line + "\n";
}

// Only whole lines, and in order.
void ExpectWholeLines(const std::string& text, std::size_t length) {
  ASSERT_EQ(text.size() % length, 0u);
  int last = -1;
  for (std::size_t at = 0; at < text.size(); at += length) {
    EXPECT_EQ(text[at + length - 1], '\n');
    const int number = std::atoi(text.c_str() + at);
    EXPECT_GT(number, last);
    last = number;
  }
}

TEST(LineWriter, AFullPipeNeverMakesItWaitAndWhatIsDroppedIsCounted) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reader(ends[0]), pipe(ends[1]);
  ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  LineWriter writer(pipe.get());
  for (int i = 0; i < 100'000; ++i) writer.Write(NumberedLine(i, 100));  // 64 KB fit
  EXPECT_GT(writer.dropped(), 90'000u);
  const std::string first = TakeAll(reader.get());
  ExpectWholeLines(first, 100);
  EXPECT_EQ(first.size() / 100 + writer.dropped(), 100'000u);
  writer.Write("and on\n");
  EXPECT_EQ(TakeAll(reader.get()), "and on\n");
}

TEST(LineWriter, LeavesThePipeAsOthersUseIt) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reader(ends[0]), pipe(ends[1]);
  const LineWriter writer(pipe.get());
  EXPECT_EQ(::fcntl(pipe.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(LineWriter, AFullSocketNeverMakesItWaitAndALineIsNeverCutInTwo) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const UniqueFd reader(ends[0]), socket(ends[1]);
  ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  LineWriter writer(socket.get());
  std::string taken;
  for (int i = 0; i < 10'000; ++i) {
    writer.Write(NumberedLine(i, 1000));
    if (i % 1000 == 999) taken += TakeAll(reader.get());
  }
  EXPECT_GT(writer.dropped(), 0u);
  writer.Write(NumberedLine(10'000, 1000));  // finishes what was begun
  taken += TakeAll(reader.get());
  ExpectWholeLines(taken, 1000);
  EXPECT_EQ(taken.size() / 1000 + writer.dropped(), 10'001u);
}

TEST(LineWriter, AFileGetsAllInTheOrderOfAllWhoWrite) {
  const TestDir dir;
  const auto path = dir.Write("log", "");
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  LineWriter writer(file.get());
  writer.Write("one\n");
  ASSERT_EQ(::write(file.get(), "two\n", 4), 4);
  writer.Write("three\n");
  const auto bytes = *ReadFile(path, 100);
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "one\ntwo\nthree\n");
  EXPECT_EQ(writer.dropped(), 0u);
}

TEST(LineWriter, ADescriptorThatTakesNothingIsCountedToo) {
  LineWriter writer(-1);
  writer.Write("lost\n");
  EXPECT_EQ(writer.dropped(), 1u);
}

}  // namespace
}  // namespace holostat
