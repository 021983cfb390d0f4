#pragma once

#include <cstddef>
#include <memory>

#include "base/mapping.h"
#include "base/result.h"

namespace holostat::engine {

// Scratch memory that sessions use in turn: what stands in it is lost as soon as another of them
// runs, and what a session keeps (inputs, outputs, weights) stands elsewhere.
//
// Sessions that share a workspace are bound to one thread together, and each keeps it alive.
class Workspace {
 public:
  // Of address space; pages are only taken when sessions write to them. The largest need of the
  // models we know is 12.4 MB (pose_landmark_heavy with its mask).
  static constexpr std::size_t kDefaultCapacity = std::size_t{16} << 20;

  // Errors: kOverloaded.
  static Result<std::shared_ptr<Workspace>> Create(std::size_t capacity_bytes = kDefaultCapacity);

  // The largest need of a session so far.
  std::size_t bytes() const { return bytes_; }

  // Takes the pages that sessions will write, so that no run has to: after the last session is
  // made, or in a process forked since. Best effort.
  void Touch() { pages_.Populate(bytes_); }

  // For the engine: room for `bytes`, always at the same address, and untouched, which loses what
  // stood there. nullptr when it does not fit or the system gives no memory.
  std::byte* Lend(std::size_t bytes);

 private:
  explicit Workspace(Mapping pages) : pages_(std::move(pages)) {}

  Mapping pages_;
  std::size_t bytes_ = 0;
};

}  // namespace holostat::engine
