#include "media/read_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::media {
namespace {

using namespace std::chrono_literals;

// What a test sees of its reader after that has gone.
struct Seen {
  std::atomic<std::uint64_t> asked{0};
  std::atomic<bool> interrupted{false};
  std::atomic<bool> destroyed{false};
};

// Frames whose pixels are all their index; then the end, an error, an exception, or silence.
class FakeReader final : public VideoReader {
 public:
  enum class End { kEnd = 1, kError, kException, kSilence };

  FakeReader(Seen& seen, std::uint64_t frames, End end) : seen_(seen), frames_(frames), end_(end) {}
  ~FakeReader() override { seen_.destroyed = true; }

  const VideoInfo& info() const override { return info_; }
  VideoCounts counts() const override { return {.frames = index_}; }
  void Interrupt() noexcept override { seen_.interrupted = true; }

  Result<std::optional<VideoFrame>> Next() override {
    ++seen_.asked;
    if (index_ == frames_) return Ended();
    // Another size now and then, with padded rows.
    const int width = index_ % 5 == 4 ? 3 : 8, height = index_ % 7 == 6 ? 9 : 4;
    std::fill(pixels_.begin(), pixels_.end(), static_cast<std::uint8_t>(index_));
    const VideoFrame frame{
        {pixels_.data(), width, height, 40}, std::chrono::microseconds(10 * index_), index_};
    ++index_;
    return frame;
  }

 private:
  Result<std::optional<VideoFrame>> Ended() {
    switch (end_) {
      case End::kError:
        return Fail(ErrorCode::kTimeout, "silent");
      case End::kException:
        throw std::runtime_error("thrown");
      case End::kSilence:
        while (!seen_.interrupted) std::this_thread::sleep_for(1ms);
        return Fail(ErrorCode::kUnavailable, "interrupted");
      case End::kEnd:
        break;
    }
    return std::optional<VideoFrame>();
  }

  Seen& seen_;
  std::uint64_t frames_;
  End end_;
  std::uint64_t index_ = 0;
  VideoInfo info_{.width = 8, .height = 4};
  std::vector<std::uint8_t> pixels_ = std::vector<std::uint8_t>(40 * 9);
};

std::unique_ptr<VideoReader> Ahead(Seen& seen, std::uint64_t frames,
                                   FakeReader::End end = FakeReader::End::kEnd) {
  return ReadAhead(std::make_unique<FakeReader>(seen, frames, end));
}

bool IsFilledWith(const ImageView& image, std::uint8_t value) {
  for (int y = 0; y < image.height; ++y) {
    if (!std::all_of(image.row(y), image.row(y) + 3 * image.width,
                     [&](std::uint8_t v) { return v == value; }))
      return false;
  }
  return true;
}

TEST(ReadAhead, GivesEveryFrameInOrder) {
  Seen seen;
  const auto reader = Ahead(seen, 200);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto frame = reader->Next().value();
    ASSERT_TRUE(frame.has_value()) << i;
    EXPECT_EQ(frame->index, i);
    EXPECT_EQ(frame->timestamp, std::chrono::microseconds(10 * i));
    EXPECT_EQ(frame->image.width, i % 5 == 4 ? 3 : 8);
    EXPECT_EQ(frame->image.height, i % 7 == 6 ? 9 : 4);
    EXPECT_TRUE(IsFilledWith(frame->image, static_cast<std::uint8_t>(i))) << i;
    EXPECT_EQ(reader->counts().frames, i + 1) << "as of this frame, not of those read ahead";
  }
  EXPECT_FALSE(reader->Next().value().has_value());
  EXPECT_FALSE(reader->Next().value().has_value()) << "the end stays";
}

TEST(ReadAhead, AFrameStaysAsItIsUntilTheNextIsAskedFor) {
  Seen seen;
  const auto reader = Ahead(seen, 50);
  const auto frame = reader->Next().value();
  std::this_thread::sleep_for(20ms);  // time for the thread to do wrong
  EXPECT_TRUE(IsFilledWith(frame->image, 0));
}

TEST(ReadAhead, ReadsAsFarAheadAsItMayAndNoFurther) {
  Seen seen;
  const auto reader = Ahead(seen, 50);
  reader->Next().value();
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  while (seen.asked < 3 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(seen.asked, 3u);
}

TEST(ReadAhead, AnErrorComesAfterTheFramesBeforeIt) {
  Seen seen;
  const auto reader = Ahead(seen, 2, FakeReader::End::kError);
  EXPECT_TRUE(reader->Next().value().has_value());
  EXPECT_TRUE(reader->Next().value().has_value());
  EXPECT_EQ(reader->Next().error().code, ErrorCode::kTimeout);
  EXPECT_EQ(reader->Next().error().code, ErrorCode::kTimeout);
  EXPECT_EQ(seen.asked, 3u) << "nothing is asked for after the end";
}

TEST(ReadAhead, AnExceptionIsAnError) {
  Seen seen;
  const auto reader = Ahead(seen, 0, FakeReader::End::kException);
  EXPECT_EQ(reader->Next().error().code, ErrorCode::kInternal);
}

TEST(ReadAhead, InterruptEndsTheWait) {
  Seen seen;
  const auto reader = Ahead(seen, 0, FakeReader::End::kSilence);
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    reader->Interrupt();
  });
  EXPECT_EQ(reader->Next().error().code, ErrorCode::kUnavailable);
  other.join();
}

TEST(ReadAhead, EndsAtAnyTime) {
  for (std::uint64_t given = 0; given < 6; ++given) {
    Seen seen;
    auto reader = Ahead(seen, given < 3 ? 2 : 50,
                        given % 2 == 0 ? FakeReader::End::kEnd : FakeReader::End::kSilence);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(given, 2); ++i) (void)reader->Next();
    reader.reset();
    EXPECT_TRUE(seen.destroyed);
  }
}

TEST(ReadAhead, FramesCostNoHeapCall) {
  Seen seen;
  const auto reader = Ahead(seen, 400);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(reader->Next().value().has_value());
  const auto before = HeapCalls();
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(reader->Next().value().has_value());
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::media
