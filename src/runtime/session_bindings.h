#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holostat::runtime {

// Which worker has the state of which live session. Remembers at most `capacity` sessions: then the
// one that was used longest ago is forgotten, and its next frame binds it anew. Takes its memory
// once. Bound to one thread.
class SessionBindings {
 public:
  explicit SessionBindings(std::size_t capacity);  // REQUIRES: capacity > 0

  // Counts as a use of the session.
  std::optional<std::uint32_t> WorkerOf(std::uint64_t session);
  void Bind(std::uint64_t session, std::uint32_t worker_id);

  void EndSession(std::uint64_t session);
  void EndWorker(std::uint32_t worker_id);

  std::size_t CountOf(std::uint32_t worker_id) const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t session;
    std::uint32_t worker_id;
    std::uint64_t used;
  };
  Entry* Find(std::uint64_t session);

  std::size_t capacity_;
  std::uint64_t uses_ = 0;
  std::vector<Entry> entries_;  // so few that looking at all of them is fast
};

}  // namespace holostat::runtime
