#include "runtime/session_bindings.h"

#include <algorithm>

namespace holostat::runtime {

SessionBindings::SessionBindings(std::size_t capacity) : capacity_(capacity) {
  entries_.reserve(capacity);
}

SessionBindings::Entry* SessionBindings::Find(std::uint64_t session) {
  const auto found = std::ranges::find(entries_, session, &Entry::session);
  return found == entries_.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> SessionBindings::WorkerOf(std::uint64_t session) {
  Entry* entry = Find(session);
  if (entry == nullptr) return std::nullopt;
  entry->used = ++uses_;
  return entry->worker_id;
}

void SessionBindings::Bind(std::uint64_t session, std::uint32_t worker_id) {
  const Entry bound{session, worker_id, ++uses_};
  if (Entry* known = Find(session); known != nullptr) {
    *known = bound;
  } else if (entries_.size() < capacity_) {
    entries_.push_back(bound);
  } else {
    *std::ranges::min_element(entries_, {}, &Entry::used) = bound;
  }
}

void SessionBindings::EndSession(std::uint64_t session) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.session == session; });
}

void SessionBindings::EndWorker(std::uint32_t worker_id) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.worker_id == worker_id; });
}

std::size_t SessionBindings::CountOf(std::uint32_t worker_id) const {
  return static_cast<std::size_t>(std::ranges::count(entries_, worker_id, &Entry::worker_id));
}

}  // namespace holostat::runtime
