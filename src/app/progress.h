#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace holostat::app {

// A progress bar on stderr for work in many steps. Draws only when stderr is a terminal, at most
// ten times a second, and takes itself off the screen when it ends.
class Progress {
 public:
  Progress(std::size_t total, bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` steps of the total are finished; `current` is what comes next.
  void Update(std::size_t done, std::string_view current);
  // Takes the bar off so that a line can be printed; the next Update brings it back.
  void Clear();

 private:
  std::size_t total_;
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace holostat::app
