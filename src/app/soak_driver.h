#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/chaos_plan.h"
#include "base/result.h"
#include "runtime/supervisor.h"

namespace holostat::app {

struct SoakPicture {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

// Keeps a supervisor busy: a fixed number of requests is always on the way, each answer is compared
// with what the same picture gave before any fault. Bound to the supervisor's thread; must outlive
// its requests.
class SoakDriver {
 public:
  struct Options {
    std::vector<SoakPicture> pictures;
    ipc::Complexity complexity = ipc::Complexity::kFull;
    std::size_t in_flight = 4;
    std::uint64_t max_requests = 0;  // 0: until Stop
  };
  struct Counts {
    std::uint64_t requests = 0;  // accepted
    std::uint64_t ok = 0;
    std::uint64_t wrong = 0;        // answered, but not what the picture gives
    std::uint64_t lost = 0;         // accepted, and no answer came
    std::uint64_t lighter = 0;      // answered by a lighter model than asked for
    std::uint64_t turned_away = 0;  // not accepted: asked again later
  };

  SoakDriver(runtime::Supervisor& supervisor, ChaosPlan chaos, Options options);

  // The answers that are right: each picture once with each loaded model, without faults.
  // Errors: those of the requests; kTimeout.
  Result<void> TakeReferences(const std::vector<ipc::Complexity>& complexities);

  // Submits until `in_flight` are on the way. Call it again after each Step of the loop.
  void Fill();
  void Stop() { stopping_ = true; }
  bool done() const { return in_flight_ == 0 && (stopping_ || Finished()); }
  bool Finished() const {
    return options_.max_requests != 0 && counts_.requests >= options_.max_requests;
  }

  const Counts& counts() const { return counts_; }
  const std::vector<std::string>& first_faults() const {
    return first_faults_;
  }  // what was lost or wrong

 private:
  using Key = std::pair<std::size_t, ipc::Complexity>;
  struct Reference {
    std::uint64_t hash = 0;
    std::size_t size = 0;
  };

  Result<void> Submit(std::size_t picture, const std::string& fault, ipc::Complexity complexity,
                      runtime::Completion complete);
  void OnAnswer(std::size_t picture, const Result<runtime::Answer>& answer);
  void Note(std::string fault);

  runtime::Supervisor& supervisor_;
  ChaosPlan chaos_;
  Options options_;
  std::map<Key, Reference> references_;  // pictures x models
  Counts counts_;
  std::vector<std::string> first_faults_;  // at most 20
  std::size_t in_flight_ = 0;
  std::size_t next_picture_ = 0;
  bool stopping_ = false;
};

}  // namespace holostat::app
