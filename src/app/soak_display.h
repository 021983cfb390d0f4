#pragma once

#include <cstddef>
#include <string>

#include "app/soak_driver.h"
#include "app/top_view.h"
#include "runtime/service_status.h"

namespace holostat::app {

// What a soak shows of itself on stderr while it runs: on a terminal the view of `holostat top`,
// drawn over itself; else a line each ten seconds. Takes its picture off the terminal when it ends.
class SoakDisplay {
 public:
  explicit SoakDisplay(bool enabled);
  ~SoakDisplay();
  SoakDisplay(const SoakDisplay&) = delete;
  SoakDisplay& operator=(const SoakDisplay&) = delete;

  void Update(double t_s, const SoakDriver::Counts& counts, const runtime::ServiceStatus& status);

 private:
  void Draw(const std::string& heading, const runtime::ServiceStatus& status);
  void Erase();

  bool enabled_;
  bool is_terminal_;
  TopView view_;
  std::size_t drawn_lines_ = 0;
  double next_line_s_ = 0;
};

}  // namespace holostat::app
