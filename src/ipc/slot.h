#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/mapping.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat::ipc {

// Shared memory for the bytes of one request. Life: created with its size, filled through bytes(),
// Seal()ed, sent to a worker (maybe to a second one, after the first died), destroyed. After
// Seal nobody can change a byte or the size, the sender neither: a retry reads what the client
// sent, and a worker cannot make the supervisor fault by cutting the file.
//
// An area of its own for each request: nothing of one client is left for the next. Movable.
class Slot {
 public:
  // Error: kOverloaded (no descriptor, no memory). REQUIRES: bytes > 0.
  static Result<Slot> Create(std::size_t bytes);

  std::size_t size() const { return size_; }
  int fd() const { return fd_.get(); }
  std::span<std::byte> bytes() { return mapping_.bytes(); }  // empty after Seal

  // Unmaps and seals (shrink, grow, write, seal); once. Error: kInternal.
  Result<void> Seal();

 private:
  Slot(UniqueFd fd, Mapping mapping, std::size_t size)
      : fd_(std::move(fd)), mapping_(std::move(mapping)), size_(size) {}

  UniqueFd fd_;
  Mapping mapping_;
  std::size_t size_;
};

// The receiver's side: maps a sealed slot for reading. Errors: kCorruptData when `fd` is no memfd
// with all four seals and exactly `bytes` long (so its memory can be read without fear of SIGBUS),
// kOverloaded.
Result<Mapping> MapSealedSlot(int fd, std::size_t bytes);

// The memory that a worker writes its answers to: created by the supervisor, mapped by both, sealed
// against any change of size (but not of contents).
class AnswerArea {
 public:
  static Result<AnswerArea> Create(std::size_t bytes);

  int fd() const { return fd_.get(); }
  std::span<const std::byte> bytes() const { return mapping_.bytes(); }

  // Gives the pages behind the first `keep_bytes` back to the system: after a large answer the area
  // costs what a small one does. The bytes behind are zeros then. Error: kInternal.
  Result<void> Trim(std::size_t keep_bytes);

 private:
  AnswerArea(UniqueFd fd, Mapping mapping) : fd_(std::move(fd)), mapping_(std::move(mapping)) {}

  UniqueFd fd_;
  Mapping mapping_;
};

// The worker's side. Errors: kCorruptData when it is not `bytes` long or could still shrink,
// kOverloaded.
Result<Mapping> MapAnswerArea(int fd, std::size_t bytes);

// Bounds what all slots hold together. Lives as long as any lease of it. Thread-compatible.
class SlotBudget {
 public:
  struct Limits {
    std::size_t max_slots = 64;
    std::size_t max_slot_bytes = 32u << 20;   // one request
    std::size_t max_total_bytes = 64u << 20;  // all of them
  };
  explicit SlotBudget(const Limits& limits) : limits_(limits) {}
  ~SlotBudget();  // CHECKs that no lease is left
  SlotBudget(const SlotBudget&) = delete;
  SlotBudget& operator=(const SlotBudget&) = delete;

  // A slot that counts against the budget until it is destroyed.
  class Lease {
   public:
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease();
    Slot& slot() { return slot_; }
    const Slot& slot() const { return slot_; }

   private:
    friend class SlotBudget;
    Lease(SlotBudget* budget, Slot slot) : budget_(budget), slot_(std::move(slot)) {}
    SlotBudget* budget_;  // not owned; null when moved from
    Slot slot_;
  };

  // Errors: kInvalidArgument (0 bytes), kLimitExceeded (over a limit alone: will never fit),
  // kOverloaded (the others hold too much now, or the system has no memory).
  Result<Lease> Acquire(std::size_t bytes);

  std::size_t slots() const { return slots_; }
  std::size_t total_bytes() const { return total_bytes_; }

 private:
  void Return(std::size_t bytes);

  Limits limits_;
  std::size_t slots_ = 0;
  std::size_t total_bytes_ = 0;
};

}  // namespace holostat::ipc
