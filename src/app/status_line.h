#pragma once

#include <chrono>
#include <string_view>

namespace holostat::app {

// A line on stderr that is drawn over and over. Shows only where stderr is a terminal, changes at
// most ten times a second, and takes itself off the screen when it ends.
class StatusLine {
 public:
  explicit StatusLine(bool enabled);
  ~StatusLine() { Clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether a Draw would be seen: the text need not be made otherwise.
  bool is_due() const;
  void Draw(std::string_view text);
  // Takes the line off so that another can be printed; the next Draw brings it back.
  void Clear();

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_draw_;
};

// At most `most` bytes of a name, not cut inside a UTF-8 character.
std::string_view Shorten(std::string_view name, std::size_t most);

}  // namespace holostat::app
