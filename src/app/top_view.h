#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "app/text_bars.h"
#include "runtime/service_status.h"

namespace holostat::app {

// How a line is to stand out, where there are colours.
enum class Emphasis { kNone = 1, kTitle, kHeader, kWarning, kAlarm };

struct ViewLine {
  std::string text;  // printable ASCII and our own glyphs
  Emphasis emphasis = Emphasis::kNone;
};

// What `holostat top` shows, as lines of text: the last status, with rates by difference to the one
// before, and short histories. Keeps 60 values of each, and the rates of the processes that live.
// Thread-compatible.
class TopView {
 public:
  explicit TopView(Glyphs glyphs) : glyphs_(glyphs) {}

  // `pid` is the process that was asked. A status of another one, or of an earlier time, starts
  // anew; then rates are means since the start.
  void Add(int pid, runtime::ServiceStatus status);

  // Nothing before the first Add. Lines are cut to `columns`; columns and rows of the table are
  // left out to fit (`rows` 0: all). The last lines are the latest events.
  std::vector<ViewLine> Render(std::size_t columns, std::size_t rows) const;

 private:
  void StartAnew(int pid, const runtime::ServiceStatus& status);
  void Compare(const runtime::ServiceStatus& status);
  void AppendSummary(std::vector<ViewLine>& lines) const;
  void AppendProcesses(std::vector<ViewLine>& lines, std::size_t columns, std::size_t rows) const;
  void AppendEvents(std::vector<ViewLine>& lines, std::size_t rows) const;

  Glyphs glyphs_;
  int pid_ = 0;  // 0 before the first Add
  runtime::ServiceStatus status_;
  std::deque<double> rates_, pss_;                // oldest first
  std::map<std::int64_t, double> process_rates_;  // by pid, requests/s
};

}  // namespace holostat::app
