#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/lru_cache.h"
#include "vision/track_state.h"

namespace holostat::pipeline {

// What a worker remembers of the live sessions whose frames it gets: kMost of them, each for
// kIdle after its last frame. Of more, the one that waited longest is forgotten: its next frame is
// then tracked as its first, which costs a detection and a jump of its filters.
//
// Bound to one thread. A heap call for a session's first frame only.
class SessionStates {
 public:
  static constexpr std::size_t kMost = 32;
  static constexpr std::chrono::seconds kIdle{60};

  // `clock` outlives this.
  explicit SessionStates(const Clock& clock) : states_({.capacity = kMost, .ttl = kIdle}, clock) {}

  // The state of a session, as new for one that is not remembered. Valid until the next call.
  vision::TrackState& Of(std::uint64_t session);

  // Forgets the sessions that are over. Of does so too.
  void ExpireNow() { states_.ExpireNow(); }

  std::size_t size() const { return states_.size(); }

 private:
  LruCache<std::uint64_t, std::unique_ptr<vision::TrackState>> states_;
};

}  // namespace holostat::pipeline
