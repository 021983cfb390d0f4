#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "app/status_line.h"

namespace holostat::app {

// A progress bar on stderr for work in many steps (StatusLine says when it is seen).
class Progress {
 public:
  Progress(std::size_t total, bool enabled);

  // `done` steps of the total are finished; `current` is what comes next.
  void Update(std::size_t done, std::string_view current);
  // Takes the bar off so that a line can be printed; the next Update brings it back.
  void Clear() { line_.Clear(); }

 private:
  std::size_t total_;
  StatusLine line_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace holostat::app
