#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/lru_cache.h"
#include "vision/people_state.h"

namespace holostat::pipeline {

// What a worker remembers of the live sessions whose frames it gets: kMostPeople in all of them,
// each session for kIdle after its last frame. A session counts as many people as it has asked
// for. Of more, the session that waited longest is forgotten: its next frame is then tracked as its
// first, which costs a detection, a jump of its filters and new ids.
//
// Bound to one thread. A heap call for a session's first frame only, and for one that asks for more
// people than those before.
class SessionStates {
 public:
  static constexpr std::size_t kMostPeople = 32;
  static constexpr std::chrono::seconds kIdle{60};

  // `clock` outlives this.
  explicit SessionStates(const Clock& clock)
      : states_({.capacity = kMostPeople, .max_bytes = kMostPeople, .ttl = kIdle}, clock) {}

  // The state of a session, as new for one that is not remembered, with room for at least `people`.
  // Valid until the next call. REQUIRES: people is 1..kMaxPeople.
  vision::PeopleState& Of(std::uint64_t session, std::size_t people = 1);

  // Forgets the sessions that are over. Of does so too.
  void ExpireNow() { states_.ExpireNow(); }

  std::size_t size() const { return states_.size(); }

 private:
  // Its bytes are people.
  LruCache<std::uint64_t, std::unique_ptr<vision::PeopleState>> states_;
};

}  // namespace holostat::pipeline
