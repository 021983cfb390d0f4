#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
// One writer and one reader, each bound to one thread, in any two processes. Of the slots one is
// being written, one holds the newest frame, one is being read; publishing and taking exchange two
// of them by one atomic operation. Either side may die at any point: the other goes on, and a new
// process may take the dead one's place (Attach).
class FrameRing {
 public:
  struct Header {  // describes a frame; set by the writer
    std::int64_t timestamp_us = 0;
    std::uint32_t width = 0, height = 0;  // pixels
    std::uint32_t stride_bytes = 0;
    std::uint32_t size_bytes = 0;  // used of the slot
  };
  struct Frame {
    std::uint64_t sequence = 0;  // 1 is the first published; gaps are dropped frames
    Header header;
    std::span<const std::byte> bytes;  // valid until the next TakeNewest
  };

  // A memfd of three slots of `slot_bytes` each, sealed against a change of size. Errors:
  // kInvalidArgument (0 or over 256 MB), kOverloaded.
  static Result<FrameRing> Create(std::size_t slot_bytes);
  // Maps the ring that another process created. Error: kCorruptData when it is none, or could
  // still shrink.
  static Result<FrameRing> Attach(UniqueFd fd);

  int fd() const { return fd_.get(); }
  std::size_t slot_bytes() const;

  // Writer: where to put the next frame; then Publish. Valid until Publish.
  std::span<std::byte> write_slot();
  void Publish(const Header& header);  // REQUIRES: size_bytes <= slot_bytes()

  // Reader: the newest frame if it was not taken before. A header that does not fit its slot (a
  // hostile or dying writer) is an error, kCorruptData, and the frame is skipped.
  Result<std::optional<Frame>> TakeNewest();

  std::uint64_t published() const;
  std::uint64_t dropped() const;  // published and never taken

 private:
  FrameRing(UniqueFd fd, Mapping mapping) : fd_(std::move(fd)), mapping_(std::move(mapping)) {}

  UniqueFd fd_;
  Mapping mapping_;
};

}  // namespace holostat::ipc
