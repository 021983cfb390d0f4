#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::app {

// Which request gets which fault: drawn at random, but always the same for the same seed.
class ChaosPlan {
 public:
  // "crash=0.01,leak=0.2:1MB": each is the name of a fault (runtime/faults.h), the share of
  // requests that it hits, and its argument. Empty: none. Error: kInvalidArgument, naming what is
  // wrong.
  static Result<ChaosPlan> Parse(std::string_view text, std::uint64_t seed);

  // The faults of the next request, as ipc::Job has them; "" most of the time.
  std::string Next();
  bool empty() const { return faults_.empty(); }

 private:
  struct Fault {
    std::string text;  // "leak:1MB"
    double share = 0;  // 0..1
  };
  std::uint64_t Random();

  std::vector<Fault> faults_;
  std::uint64_t state_ = 0;
};

}  // namespace holostat::app
