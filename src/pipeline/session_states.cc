#include "pipeline/session_states.h"

#include <utility>

namespace holostat::pipeline {

vision::TrackState& SessionStates::Of(std::uint64_t session) {
  std::unique_ptr<vision::TrackState> state;
  if (auto* known = states_.Get(session)) state = std::move(*known);
  if (!state) state = std::make_unique<vision::TrackState>();
  vision::TrackState& used = *state;
  // Put again, because its time to live counts from then.
  states_.Put(session, std::move(state), 0);
  return used;
}

}  // namespace holostat::pipeline
