#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/mapping.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat::ipc {

// Frames from one process to another through shared memory: three slots, the newest frame wins. The
// writer never waits: a frame that was not taken when the next one is published is dropped, and
// counted. The reader never sees a half-written frame, and never an older one than before.
//
// One writer and one reader, each bound to one thread, in any two processes (in one process the two
// may share one object). Of the slots one is being written, one holds the newest frame, one is
// being read; publishing and taking exchange two of them by one atomic operation on the word that
// says which is which. So either side may die at any point: the other goes on, and once it is dead
// a new process may take its place (Attach) and finds its slot in that word.
//
// The peer may be hostile. It can write to all of this memory at any time, so it can spoil frames
// and counts, and change the bytes of a frame while they are read: take lengths and offsets from
// Header, which is a checked copy, never from the bytes. It cannot make a call here wait, fault or
// reach outside the slots.
class FrameRing {
 public:
  struct Header {  // describes a frame; set by the writer
    std::int64_t timestamp_us = 0;
    std::uint32_t width = 0, height = 0;  // pixels
    std::uint32_t stride_bytes = 0;       // 0 where the frame is no rows of pixels
    std::uint32_t size_bytes = 0;         // used of the slot
  };
  struct Frame {
    std::uint64_t sequence = 0;  // 1 is the first published; gaps are dropped frames
    Header header;
    std::span<const std::byte> bytes;  // size_bytes; valid until the next TakeNewest
  };

  // Whether a frame can be so: size_bytes is at most `slot_bytes`, `height` rows of stride_bytes
  // are at most size_bytes, and a row has a byte for each pixel at least.
  static bool Fits(const Header& header, std::size_t slot_bytes);

  // A memfd of three slots of `slot_bytes` each, sealed against a change of size. Its pages are
  // taken when first touched. Errors: kInvalidArgument (0 or over 256 MB), kOverloaded.
  static Result<FrameRing> Create(std::size_t slot_bytes);
  // Maps the ring that another process created. Errors: kCorruptData when it is none, or could
  // still shrink; kOverloaded.
  static Result<FrameRing> Attach(UniqueFd fd);

  int fd() const { return fd_.get(); }
  std::size_t slot_bytes() const { return slot_bytes_; }

  // Writer: where to put the next frame; then Publish. Valid until Publish. What is in it before is
  // any earlier frame. No heap call in these two.
  std::span<std::byte> write_slot();
  void Publish(const Header& header);  // REQUIRES: Fits(header, slot_bytes())

  // Reader: the newest frame if it was not taken before; no heap call. Error: kCorruptData for a
  // header that does not fit, or a frame that is not newer than the last one (a hostile writer);
  // that frame is skipped.
  Result<std::optional<Frame>> TakeNewest();

  // From either side, or a third process that has attached to look.
  std::uint64_t published() const;
  std::uint64_t dropped() const;  // published, and replaced before it was taken

 private:
  struct Shared;

  FrameRing(UniqueFd fd, Mapping mapping, std::size_t slot_bytes);
  std::span<std::byte> SlotBytes(std::size_t index);

  UniqueFd fd_;
  Mapping mapping_;
  Shared* shared_;          // in mapping_
  std::size_t slot_bytes_;  // not read from shared memory again, where it could have changed
  std::uint64_t last_sequence_ = 0;  // reader
};

}  // namespace holostat::ipc
