#include "pipeline/session_states.h"

#include <utility>

#include "holostat/holistic_tracker.h"

namespace holostat::pipeline {

static_assert(SessionStates::kMostPeople >= kMaxPeople, "a session must have room");

vision::PeopleState& SessionStates::Of(std::uint64_t session, std::size_t people) {
  std::unique_ptr<vision::PeopleState> state;
  if (auto* known = states_.Get(session)) state = std::move(*known);
  if (!state) state = std::make_unique<vision::PeopleState>();
  state->Reserve(people);
  vision::PeopleState& used = *state;
  // Put again, because its time to live counts from then.
  const std::size_t capacity = used.capacity();
  states_.Put(session, std::move(state), capacity);
  return used;
}

}  // namespace holostat::pipeline
