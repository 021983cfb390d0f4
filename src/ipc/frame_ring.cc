#include "ipc/frame_ring.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <bit>

#include "base/check.h"
#include "ipc/memfd.h"

namespace holostat::ipc {
namespace {

constexpr std::uint64_t kRingMagic = 0x31474e524f4c4f48;  // "HOLORNG1"
constexpr std::size_t kMaxSlotBytes = 256u << 20;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kCacheLineBytes = 64;

// Only a hostile peer makes an exchange fail more than once a call (docs/ipc.md); nobody waits for
// one.
constexpr int kAttempts = 16;

using Word = std::atomic_ref<std::uint64_t>;
static_assert(Word::is_always_lock_free, "a lock in shared memory would outlive its holder");

// The state of a ring in one word: who has which slot (0, 1 and 2 in some order), whether the
// newest frame was taken yet, and how many were published.
struct State {
  std::uint64_t published = 0;
  bool fresh = false;  // the ready slot holds a frame that was not taken
  std::uint64_t writer = 0, ready = 1, reader = 2;

  // A word that no honest peer writes becomes a state that is safe to use.
  static State Of(std::uint64_t word) {
    State state{.published = word >> 5, .fresh = (word & 16) != 0};
    const std::uint64_t writer = word & 3, ready = word >> 2 & 3;
    if (writer > 2 || ready > 2 || writer == ready) return state;
    state.writer = writer;
    state.ready = ready;
    state.reader = 3 - writer - ready;
    return state;
  }
  std::uint64_t word() const { return published << 5 | (fresh ? 16u : 0u) | ready << 2 | writer; }

  // The slot of the frame that was published last. Only publishing makes it another one.
  std::uint64_t newest() const { return fresh ? ready : reader; }

  State Published() const { return {published + 1, true, ready, writer, reader}; }
  State Taken() const { return {published, false, writer, reader, ready}; }
};

constexpr std::size_t SlotStride(std::size_t slot_bytes) {
  return (slot_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}
constexpr std::size_t RingBytes(std::size_t slot_bytes) {
  return kPageBytes + 3 * SlotStride(slot_bytes);
}

using HeaderWords = std::array<std::uint64_t, 3>;
static_assert(sizeof(HeaderWords) == sizeof(FrameRing::Header));

}  // namespace

// The first page of a ring; the slots follow it, each from a page of its own on. Every access is
// through a Word: the other process may write at any time.
struct FrameRing::Shared {
  struct alignas(kCacheLineBytes) About {  // of a slot
    HeaderWords header;
    std::uint64_t dropped;  // of all frames up to this one
  };
  std::uint64_t magic;
  std::uint64_t slot_bytes;
  alignas(kCacheLineBytes) std::uint64_t state;
  std::array<About, 3> about;

  std::uint64_t Load() { return Word(state).load(std::memory_order_acquire); }

  // Release: whoever sees the new state sees what was written to the slot before. Acquire: whoever
  // gets a slot writes to it after its last holder has read it.
  bool Exchange(std::uint64_t from, const State& to) {
    return Word(state).compare_exchange_strong(from, to.word(), std::memory_order_acq_rel,
                                               std::memory_order_relaxed);
  }
};

bool FrameRing::Fits(const Header& header, std::size_t slot_bytes) {
  const auto rows_bytes = std::uint64_t{header.stride_bytes} * header.height;
  return header.size_bytes <= slot_bytes && rows_bytes <= header.size_bytes &&
         (header.stride_bytes == 0 || header.width <= header.stride_bytes);
}

FrameRing::FrameRing(UniqueFd fd, Mapping mapping, std::size_t slot_bytes)
    : fd_(std::move(fd)),
      mapping_(std::move(mapping)),
      shared_(static_cast<Shared*>(static_cast<void*>(mapping_.bytes().data()))),
      slot_bytes_(slot_bytes) {
  static_assert(sizeof(Shared) <= kPageBytes);
}

Result<FrameRing> FrameRing::Create(std::size_t slot_bytes) {
  if (slot_bytes == 0 || slot_bytes > kMaxSlotBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a ring with slots of {} bytes", slot_bytes));
  }
  const std::size_t bytes = RingBytes(slot_bytes);
  auto fd = HOLO_TRY(CreateMemfd("holostat-ring", bytes));
  HOLO_TRY(AddSeals(fd.get(), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL));
  auto mapping = HOLO_TRY(Mapping::OfFile(fd.get(), bytes, Mapping::Access::kReadWrite));
  FrameRing ring(std::move(fd), std::move(mapping), slot_bytes);
  ring.shared_->magic = kRingMagic;  // nobody else has it yet
  ring.shared_->slot_bytes = slot_bytes;
  ring.shared_->state = State().word();
  return ring;
}

Result<FrameRing> FrameRing::Attach(UniqueFd fd) {
  const std::size_t bytes = HOLO_TRY(SealedSize(fd.get(), F_SEAL_SHRINK));
  if (bytes < RingBytes(1) || bytes > RingBytes(kMaxSlotBytes))
    return Fail(ErrorCode::kCorruptData, fmt::format("a ring of {} bytes", bytes));
  auto mapping = HOLO_TRY(Mapping::OfFile(fd.get(), bytes, Mapping::Access::kReadWrite));
  FrameRing ring(std::move(fd), std::move(mapping), 0);
  const auto magic = Word(ring.shared_->magic).load(std::memory_order_relaxed);
  const auto slot_bytes = Word(ring.shared_->slot_bytes).load(std::memory_order_relaxed);
  if (magic != kRingMagic || slot_bytes == 0 || slot_bytes > kMaxSlotBytes ||
      bytes != RingBytes(slot_bytes)) {
    return Fail(ErrorCode::kCorruptData, "shared memory that is no ring of frames");
  }
  ring.slot_bytes_ = slot_bytes;
  return ring;
}

std::span<std::byte> FrameRing::SlotBytes(std::size_t index) {
  return mapping_.bytes().subspan(kPageBytes + index * SlotStride(slot_bytes_), slot_bytes_);
}

std::span<std::byte> FrameRing::write_slot() {
  return SlotBytes(State::Of(shared_->Load()).writer);
}

void FrameRing::Publish(const Header& header) {
  HOLO_CHECK(Fits(header, slot_bytes_));
  const auto words = std::bit_cast<HeaderWords>(header);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t word = shared_->Load();
    const State state = State::Of(word);
    Shared::About& about = shared_->about[state.writer];
    for (std::size_t k = 0; k < words.size(); ++k)
      Word(about.header[k]).store(words[k], std::memory_order_relaxed);
    // Counted beside the frame, so that the exchange publishes both or neither.
    const auto before =
        Word(shared_->about[state.newest()].dropped).load(std::memory_order_relaxed);
    Word(about.dropped).store(before + (state.fresh ? 1 : 0), std::memory_order_release);
    if (shared_->Exchange(word, state.Published())) return;
  }
}

Result<std::optional<FrameRing::Frame>> FrameRing::TakeNewest() {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t word = shared_->Load();
    const State state = State::Of(word);
    if (!state.fresh) return std::nullopt;
    if (!shared_->Exchange(word, state.Taken())) continue;
    HeaderWords words;
    for (std::size_t k = 0; k < words.size(); ++k)
      words[k] = Word(shared_->about[state.ready].header[k]).load(std::memory_order_relaxed);
    const auto header = std::bit_cast<Header>(words);
    const bool newer = state.published > std::exchange(last_sequence_, state.published);
    // Short texts, for which a string needs no heap.
    if (!newer) return Fail(ErrorCode::kCorruptData, "an old frame");
    if (!Fits(header, slot_bytes_)) return Fail(ErrorCode::kCorruptData, "a false header");
    return Frame{state.published, header, SlotBytes(state.ready).first(header.size_bytes)};
  }
  return std::nullopt;
}

std::uint64_t FrameRing::published() const { return State::Of(shared_->Load()).published; }

std::uint64_t FrameRing::dropped() const {
  std::uint64_t dropped = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t word = shared_->Load();
    const State state = State::Of(word);
    // Acquire, with the release in Publish: a count of a later frame shows that there is one.
    dropped = Word(shared_->about[state.newest()].dropped).load(std::memory_order_acquire);
    if (State::Of(shared_->Load()).published == state.published) break;
  }
  return dropped;
}

}  // namespace holostat::ipc
