#include "ipc/frame_ring.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "base/heap_calls.h"
#include "ipc/fd_count.h"
#include "ipc/memfd.h"

namespace holostat::ipc {
namespace {

constexpr std::size_t kSlotBytes = 1000;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kStateAt = 64;  // of the word that says which slot is whose

FrameRing NewRing() { return FrameRing::Create(kSlotBytes).value(); }

FrameRing Attached(const FrameRing& ring) {
  return FrameRing::Attach(UniqueFd(::dup(ring.fd()))).value();
}

// Frame `number` has its own size and bytes, each made from the number and its place.
FrameRing::Header HeaderOf(std::uint64_t number) {
  return {.timestamp_us = static_cast<std::int64_t>(number * 1000),
          .width = 10,
          .height = 2,
          .stride_bytes = 30,
          .size_bytes = static_cast<std::uint32_t>(kSlotBytes - number % 100)};
}

std::byte ByteOf(std::uint64_t number, std::size_t at) {
  return static_cast<std::byte>(number * 7 + at);
}

void Publish(FrameRing& ring, std::uint64_t number) {
  const auto header = HeaderOf(number);
  const auto bytes = ring.write_slot();
  for (std::size_t k = 0; k < header.size_bytes; ++k) bytes[k] = ByteOf(number, k);
  ring.Publish(header);
}

// The number of the frame that was taken, when it is whole.
std::optional<std::uint64_t> Number(const FrameRing::Frame& frame) {
  const auto number = static_cast<std::uint64_t>(frame.header.timestamp_us) / 1000;
  if (frame.bytes.size() != HeaderOf(number).size_bytes) return std::nullopt;
  for (std::size_t k = 0; k < frame.bytes.size(); ++k)
    if (frame.bytes[k] != ByteOf(number, k)) return std::nullopt;
  return number;
}

// 0 for none.
std::uint64_t Take(FrameRing& ring) {
  const auto frame = ring.TakeNewest();
  EXPECT_TRUE(frame) << frame.error().message;
  if (!frame || !*frame) return 0;
  const auto number = Number(**frame);
  EXPECT_TRUE(number) << "torn frame " << (*frame)->sequence;
  return number.value_or(0);
}

// Runs `body` in a process of its own, that ends without the test's destructors.
pid_t Fork(const std::function<void()>& body) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  body();
  ::_exit(0);
}

int StatusOf(pid_t pid) {
  int status = -1;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return status;
}

TEST(FrameRing, TheNewestFrameWinsAndDropsAreCounted) {
  auto ring = NewRing();
  EXPECT_EQ(Take(ring), 0u);
  for (const std::uint64_t number : {1, 2, 3}) Publish(ring, number);
  EXPECT_EQ(ring.dropped(), 2u);
  const auto frame = ring.TakeNewest().value();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->sequence, 3u);
  EXPECT_EQ(Number(*frame), 3u);
  EXPECT_EQ(frame->header.width, 10u);
  EXPECT_EQ(Take(ring), 0u) << "each frame once";
  Publish(ring, 4);
  EXPECT_EQ(Take(ring), 4u);
  EXPECT_EQ(ring.published(), 4u);
  EXPECT_EQ(ring.dropped(), 2u);
}

TEST(FrameRing, AFrameStaysAsItIsUntilTheNextIsTaken) {
  auto ring = NewRing();
  Publish(ring, 1);
  const auto frame = ring.TakeNewest().value();
  for (std::uint64_t number = 2; number < 20; ++number) {
    Publish(ring, number);
    EXPECT_EQ(Number(*frame), 1u);
  }
}

TEST(FrameRing, ASizeThatIsNoneIsRefused) {
  for (const std::size_t bytes : {std::size_t{0}, (std::size_t{256} << 20) + 1, SIZE_MAX}) {
    const auto ring = FrameRing::Create(bytes);
    ASSERT_FALSE(ring);
    EXPECT_EQ(ring.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(FrameRing::Create(std::size_t{256} << 20).value().write_slot().size(),
            std::size_t{256} << 20);
}

TEST(FrameRing, OnlyARingIsAttached) {
  const auto error = [](UniqueFd fd) {
    const auto ring = FrameRing::Attach(std::move(fd));
    EXPECT_FALSE(ring);
    return ring ? ErrorCode{} : ring.error().code;
  };
  EXPECT_EQ(error(UniqueFd()), ErrorCode::kCorruptData);
  EXPECT_EQ(error(UniqueFd(::open("/dev/zero", O_RDWR))), ErrorCode::kCorruptData);
  for (const std::size_t bytes : {1u, 4096u, 16384u}) {
    auto fd = CreateMemfd("holostat-ring", bytes).value();
    ASSERT_TRUE(AddSeals(fd.get(), F_SEAL_SHRINK));
    EXPECT_EQ(error(std::move(fd)), ErrorCode::kCorruptData) << bytes << " zeros";
  }
  for (const std::uint64_t claimed : {0ull, 4097ull, 1ull << 40, ~0ull}) {
    const auto ring = NewRing();
    ASSERT_EQ(::pwrite(ring.fd(), &claimed, sizeof claimed, 8), 8);
    EXPECT_EQ(error(UniqueFd(::dup(ring.fd()))), ErrorCode::kCorruptData) << claimed;
  }
}

TEST(FrameRing, ThatCouldShrinkIsNotAttached) {
  const auto ring = NewRing();
  std::array<std::byte, 4 * kPageBytes> bytes;
  ASSERT_EQ(::pread(ring.fd(), bytes.data(), bytes.size(), 0), ssize_t{bytes.size()});
  const auto copy = CreateMemfd("holostat-ring", bytes.size()).value();
  ASSERT_EQ(::pwrite(copy.get(), bytes.data(), bytes.size(), 0), ssize_t{bytes.size()});
  const auto unsealed = FrameRing::Attach(UniqueFd(::dup(copy.get())));
  ASSERT_FALSE(unsealed);
  EXPECT_EQ(unsealed.error().code, ErrorCode::kCorruptData);
  ASSERT_TRUE(AddSeals(copy.get(), F_SEAL_SHRINK));
  EXPECT_TRUE(FrameRing::Attach(UniqueFd(::dup(copy.get()))));
}

TEST(FrameRing, LeavesNoDescriptor) {
  const auto before = OpenFds();
  {
    const auto ring = NewRing();
    auto other = Attached(ring);
    const auto moved = std::move(other);
    EXPECT_EQ(moved.slot_bytes(), kSlotBytes);
  }
  EXPECT_EQ(OpenFds(), before);
}

TEST(FrameRing, PublishingAndTakingMakeNoHeapCall) {
  auto ring = NewRing();
  const auto before = HeapCalls();
  std::uint64_t sum = 0;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    Publish(ring, number);
    if (number % 10 == 0) {
      std::uint64_t word = 0;  // no frame is fresh, then an old one: an error
      std::memcpy(&word, "\x18", 1);
      EXPECT_EQ(::pwrite(ring.fd(), &word, sizeof word, kStateAt), 8);
    }
    const auto frame = ring.TakeNewest();
    if (frame && *frame) sum += (*frame)->sequence;
  }
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_GT(sum, 0u);
}

// --- two sides at once ---------------------------------------------------------------------------

// Takes until frame `last`; gives how many were taken.
std::uint64_t TakeUntil(FrameRing& ring, std::uint64_t last) {
  std::uint64_t taken = 0, newest = 0;
  while (newest < last) {
    const auto number = Take(ring);
    if (number == 0) {
      std::this_thread::yield();
      continue;
    }
    EXPECT_GT(number, newest);
    newest = number;
    ++taken;
  }
  return taken;
}

TEST(FrameRing, OfAHundredThousandFramesBetweenThreadsNoneIsTornOrUncounted) {
  constexpr std::uint64_t kFrames = 100'000;
  auto ring = NewRing();
  std::thread writer([&ring] {
    for (std::uint64_t number = 1; number <= kFrames; ++number) Publish(ring, number);
  });
  const auto taken = TakeUntil(ring, kFrames);
  writer.join();
  EXPECT_EQ(ring.published(), kFrames);
  EXPECT_EQ(taken + ring.dropped(), kFrames);
}

TEST(FrameRing, OfAHundredThousandFramesBetweenProcessesNoneIsTornOrUncounted) {
  constexpr std::uint64_t kFrames = 100'000;
  auto ring = NewRing();
  const pid_t writer = Fork([&ring] {
    auto own = Attached(ring);
    for (std::uint64_t number = 1; number <= kFrames; ++number) Publish(own, number);
  });
  ASSERT_GT(writer, 0);
  const auto taken = TakeUntil(ring, kFrames);
  EXPECT_EQ(StatusOf(writer), 0);
  EXPECT_EQ(ring.published(), kFrames);
  EXPECT_EQ(taken + ring.dropped(), kFrames);
}

TEST(FrameRing, AThirdPartySeesCountsThatNeverGoBack) {
  auto ring = NewRing();
  std::thread writer([&ring] {
    for (std::uint64_t number = 1; number <= 20'000; ++number) Publish(ring, number);
  });
  std::uint64_t published = 0, dropped = 0;
  while (published < 20'000) {
    const auto now_dropped = ring.dropped();
    const auto now_published = ring.published();
    EXPECT_GE(now_published, published);
    EXPECT_GE(now_dropped, dropped);
    EXPECT_LE(now_dropped, now_published);
    published = now_published;
    dropped = now_dropped;
  }
  writer.join();
  EXPECT_EQ(ring.dropped(), 19'999u);
}

// --- death ---------------------------------------------------------------------------------------

TEST(FrameRing, AWriterThatDiesWhileItWritesLeavesWhatItPublished) {
  auto ring = NewRing();
  const pid_t writer = Fork([&ring] {
    auto own = Attached(ring);
    Publish(own, 1);
    Publish(own, 2);
    std::ranges::fill(own.write_slot().first(kSlotBytes / 2), std::byte{0xee});
    ::raise(SIGKILL);
  });
  EXPECT_EQ(StatusOf(writer), SIGKILL);
  EXPECT_EQ(Take(ring), 2u);
  EXPECT_EQ(Take(ring), 0u);

  auto successor = Attached(ring);
  Publish(successor, 3);
  EXPECT_EQ(Take(ring), 3u);
  EXPECT_EQ(ring.published(), 3u);
  EXPECT_EQ(ring.dropped(), 1u);
}

TEST(FrameRing, OverManyKilledWritersNoFrameIsTornOldOrUncounted) {
  auto ring = NewRing();
  std::uint64_t taken = 0, newest = 0;
  const auto take = [&] {
    const auto number = Take(ring);
    if (number == 0) return false;
    EXPECT_GT(number, newest);
    newest = number;
    ++taken;
    return true;
  };
  std::minstd_rand random(1);
  for (int generation = 0; generation < 40; ++generation) {
    const pid_t writer = Fork([&ring] {
      auto own = Attached(ring);
      for (;;) Publish(own, own.published() + 1);
    });
    ASSERT_GT(writer, 0);
    const auto enough = taken + 1 + random() % 20;
    while (taken < enough) {
      if (!take()) std::this_thread::yield();
    }
    ASSERT_EQ(::kill(writer, SIGKILL), 0);
    EXPECT_EQ(StatusOf(writer), SIGKILL);
    take();  // what it published last
    EXPECT_EQ(newest, ring.published());
    EXPECT_EQ(taken + ring.dropped(), ring.published());
  }
}

TEST(FrameRing, OverManyKilledReadersTheWriterGoesOn) {
  auto ring = NewRing();
  std::uint64_t number = 0;
  for (int generation = 0; generation < 20; ++generation) {
    int started[2];
    ASSERT_EQ(::pipe(started), 0);
    const UniqueFd told(started[0]), tell(started[1]);
    const pid_t reader = Fork([&] {
      auto own = Attached(ring);
      std::uint64_t last = 0;
      for (bool first = true;;) {
        const auto frame = own.TakeNewest();
        if (!frame) ::_exit(1);
        if (!*frame) continue;
        const auto got = Number(**frame);
        if (!got || *got <= last) ::_exit(2);
        last = *got;
        if (std::exchange(first, false) && ::write(tell.get(), "x", 1) != 1) ::_exit(3);
      }
    });
    ASSERT_GT(reader, 0);
    ASSERT_EQ(::fcntl(told.get(), F_SETFL, O_NONBLOCK), 0);
    char byte = 0;
    while (::read(told.get(), &byte, 1) != 1) Publish(ring, ++number);
    for (int k = 0; k < 200; ++k) Publish(ring, ++number);
    ASSERT_EQ(::kill(reader, SIGKILL), 0);
    EXPECT_EQ(StatusOf(reader), SIGKILL);
  }
  Publish(ring, ++number);
  EXPECT_EQ(Take(ring), number);  // this process takes the place of the dead
  EXPECT_EQ(ring.published(), number);
  EXPECT_LT(ring.dropped(), number);
}

// --- a hostile peer ------------------------------------------------------------------------------

TEST(FrameRing, AHeaderThatDoesNotFitIsAnErrorAndSkipped) {
  const auto fits = [](std::uint32_t width, std::uint32_t height, std::uint32_t stride,
                       std::uint32_t size) {
    return FrameRing::Fits(
        {.width = width, .height = height, .stride_bytes = stride, .size_bytes = size}, kSlotBytes);
  };
  EXPECT_TRUE(fits(10, 10, 30, 300));
  EXPECT_TRUE(fits(10, 10, 0, 1000)) << "compressed";
  EXPECT_TRUE(fits(0, 0, 0, 0));
  EXPECT_FALSE(fits(10, 10, 30, 299));
  EXPECT_FALSE(fits(10, 10, 30, 1001));
  EXPECT_FALSE(fits(31, 10, 30, 300));
  EXPECT_FALSE(fits(1, 0x80000000, 0x80000000, 1000)) << "the product must not wrap";

  auto ring = NewRing();
  Publish(ring, 1);
  const FrameRing::Header header{.width = 1, .height = 1, .stride_bytes = 1, .size_bytes = 1001};
  for (const off_t about : {128, 192, 256})
    ASSERT_EQ(::pwrite(ring.fd(), &header, sizeof header, about), sizeof header);
  const auto frame = ring.TakeNewest();
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(Take(ring), 0u);
  Publish(ring, 2);
  EXPECT_EQ(Take(ring), 2u);
}

TEST(FrameRing, AFrameThatIsNotNewerIsAnErrorOnce) {
  auto ring = NewRing();
  for (const std::uint64_t number : {1, 2, 3}) Publish(ring, number);
  EXPECT_EQ(Take(ring), 3u);
  const std::uint64_t forged = 2u << 5 | 1u << 4 | 1u << 2 | 2u;  // frame 2, fresh
  ASSERT_EQ(::pwrite(ring.fd(), &forged, sizeof forged, kStateAt), 8);
  const auto frame = ring.TakeNewest();
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kCorruptData);
  Publish(ring, 4);  // goes on from the forged number
  EXPECT_EQ(Take(ring), 4u);
}

TEST(FrameRing, WhateverAPeerWritesTheSlotsStayWithinTheRing) {
  auto ring = NewRing();
  std::set<const std::byte*> slots;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    slots.insert(ring.write_slot().data());
    Publish(ring, number);
    Take(ring);
  }
  slots.insert(ring.write_slot().data());
  ASSERT_EQ(slots.size(), 3u);

  std::minstd_rand random(1);
  std::size_t errors = 0, frames = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::array<std::uint32_t, 64> words;  // state and the headers
    for (auto& word : words) word = static_cast<std::uint32_t>(random() >> random() % 31);
    ASSERT_EQ(::pwrite(ring.fd(), words.data(), sizeof words, kStateAt), sizeof words);
    ASSERT_TRUE(slots.contains(ring.write_slot().data()));
    if (round % 2 == 0) ring.Publish(HeaderOf(1));
    static_cast<void>(ring.dropped());
    const auto frame = ring.TakeNewest();
    if (!frame) {
      ++errors;
    } else if (*frame) {
      ++frames;
      ASSERT_TRUE(slots.contains((*frame)->bytes.data()));
      ASSERT_LE((*frame)->bytes.size(), kSlotBytes);
    }
  }
  EXPECT_GT(errors, 1000u);
  EXPECT_GT(frames, 1000u);
  Publish(ring, 7);
  Take(ring);  // may be an old one: the last state was random
}

TEST(FrameRing, AfterAnImpossibleStateItWorksAgain) {
  for (const std::uint64_t word : {0x1full, 0x0full, 0x03ull, 0x15ull, ~0ull}) {
    auto ring = NewRing();
    Publish(ring, 1);
    ASSERT_EQ(::pwrite(ring.fd(), &word, sizeof word, kStateAt), 8);
    static_cast<void>(ring.TakeNewest());
    Publish(ring, 2);
    static_cast<void>(ring.TakeNewest());
    Publish(ring, 3);
    EXPECT_EQ(Take(ring), 3u) << word;
  }
}

TEST(FrameRing, APeerCanNotCutIt) {
  const auto ring = NewRing();
  EXPECT_EQ(::ftruncate(ring.fd(), kPageBytes), -1);
}

TEST(FrameRingDeathTest, PublishingMoreThanASlotHoldsIsAFaultOfOurs) {
  auto ring = NewRing();
  EXPECT_DEATH(ring.Publish({.size_bytes = kSlotBytes + 1}), "Fits");
}

}  // namespace
}  // namespace holostat::ipc
