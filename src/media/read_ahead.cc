#include "media/read_ahead.h"

#include <pthread.h>

#include <array>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace holostat::media {
namespace {

constexpr std::size_t kSlots = 3;

// One frame, or how the video ended.
struct Slot {
  std::vector<std::uint8_t> pixels;
  Result<std::optional<VideoFrame>> next;  // its image lies in `pixels`
  VideoCounts counts;
};

// Without padding. No heap call unless the frame is the largest so far.
ImageView CopyInto(std::vector<std::uint8_t>& pixels, const ImageView& image) {
  const auto row_bytes = static_cast<std::size_t>(image.width) * 3;
  pixels.resize(row_bytes * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y)
    std::memcpy(pixels.data() + static_cast<std::size_t>(y) * row_bytes, image.row(y), row_bytes);
  return {pixels.data(), image.width, image.height, static_cast<std::ptrdiff_t>(row_bytes)};
}

// Signals are for the thread that started us: a handler may use what that thread owns.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

class AheadReader final : public VideoReader {
 public:
  explicit AheadReader(std::unique_ptr<VideoReader> reader)
      : reader_(std::move(reader)), info_(reader_->info()) {
    const NoSignals inherited_by_the_thread;
    thread_ = std::thread([this] { Run(); });
  }

  ~AheadReader() override {
    {
      const std::lock_guard lock(mutex_);
      is_wanted_ = false;
    }
    changed_.notify_all();
    reader_->Interrupt();
    thread_.join();
  }

  const VideoInfo& info() const override { return info_; }
  VideoCounts counts() const override { return given_counts_; }
  void Interrupt() noexcept override { reader_->Interrupt(); }

  Result<std::optional<VideoFrame>> Next() override {
    std::unique_lock lock(mutex_);
    // The last slot stays the caller's until it asks for more; the end stays for good.
    if (has_slot_ && !IsLast(SlotAt(taken_ - 1))) {
      ++freed_;
      changed_.notify_all();
    }
    if (!has_slot_ || !IsLast(SlotAt(taken_ - 1))) {
      // No deadline of its own: the reader has one, and after it tells so here.
      changed_.wait(lock, [&] { return filled_ > taken_; });
      ++taken_;
      has_slot_ = true;
    }
    const Slot& slot = SlotAt(taken_ - 1);
    given_counts_ = slot.counts;
    return slot.next;
  }

 private:
  static bool IsLast(const Slot& slot) { return !slot.next || !slot.next->has_value(); }
  Slot& SlotAt(std::uint64_t number) { return slots_[number % kSlots]; }

  // The thread's: fills slots until the video ends or nobody wants it.
  void Run() {
    pthread_setname_np(pthread_self(), "holo-decode");
    bool is_last = false;
    while (!is_last && WaitForFreeSlot()) {
      Slot& slot = SlotAt(filled_);  // filled_ changes in this thread only
      Fill(slot);
      is_last = IsLast(slot);
      {
        const std::lock_guard lock(mutex_);
        ++filled_;
      }
      changed_.notify_all();
    }
  }

  // False: nobody wants it any more.
  bool WaitForFreeSlot() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !is_wanted_ || filled_ - freed_ < kSlots; });
    return is_wanted_;
  }

  void Fill(Slot& slot) {
    try {
      slot.next = reader_->Next();
      slot.counts = reader_->counts();
      if (slot.next && *slot.next) (*slot.next)->image = CopyInto(slot.pixels, (*slot.next)->image);
    } catch (const std::bad_alloc&) {
      slot.next = Fail(ErrorCode::kOverloaded, "out of memory for a frame");
    } catch (const std::exception& error) {
      slot.next = Fail(ErrorCode::kInternal, error.what());
    }
  }

  const std::unique_ptr<VideoReader> reader_;  // the thread's, but for Interrupt
  const VideoInfo info_;
  VideoCounts given_counts_;
  bool has_slot_ = false;  // Next has given one

  // A slot is the thread's from free to filled, then the caller's: its contents need no lock.
  std::array<Slot, kSlots> slots_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::uint64_t filled_ = 0, taken_ = 0, freed_ = 0;  // slots, since the start
  bool is_wanted_ = true;

  std::thread thread_;  // last: it uses all of this
};

}  // namespace

std::unique_ptr<VideoReader> ReadAhead(std::unique_ptr<VideoReader> reader) {
  return std::make_unique<AheadReader>(std::move(reader));
}

}  // namespace holostat::media
