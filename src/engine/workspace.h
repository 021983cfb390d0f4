#pragma once

#include <cstddef>
#include <memory>

#include "base/mapping.h"
#include "base/result.h"

namespace holostat::engine {

// Scratch memory that sessions use in turn. What a session keeps from run to run (outputs, weights)
// stands elsewhere; what stands here is lost when another is run, or given its inputs.
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
  std::size_t bytes() const { return runtime_.bytes + arena_.bytes; }

  // Takes the pages that sessions will write, so that no run has to: after the last session is
  // made, or in a process forked since. Best effort.
  void Touch();

  // For the engine: room for `bytes`, always at the same address. nullptr when it does not fit or
  // the system gives no memory. There is one for what XNNPACK keeps to itself, untouched, which
  // loses what stood there; and one for what we place, both in use at once.
  std::byte* LendToRuntime(std::size_t bytes);
  std::byte* LendToArena(std::size_t bytes) { return Open(arena_, bytes); }

 private:
  struct Area {
    Mapping pages;
    std::size_t bytes = 0;  // of those, that are open
  };
  Workspace(Mapping runtime, Mapping arena)
      : runtime_{std::move(runtime)}, arena_{std::move(arena)} {}
  static std::byte* Open(Area& area, std::size_t bytes);

  Area runtime_, arena_;
};

}  // namespace holostat::engine
