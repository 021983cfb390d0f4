#include "app/soak_display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/say.h"

namespace holostat::app {
namespace {

constexpr double kLinePeriodS = 10;

winsize TerminalSize() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size = {24, 80, 0, 0};
  return size;
}

}  // namespace

SoakDisplay::SoakDisplay(bool enabled)
    : enabled_(enabled), is_terminal_(::isatty(STDERR_FILENO) == 1), view_(GlyphsOfEnvironment()) {}

SoakDisplay::~SoakDisplay() { Erase(); }

void SoakDisplay::Update(double t_s, const SoakDriver::Counts& counts,
                         const runtime::ServiceStatus& status) {
  if (!enabled_ || (!is_terminal_ && t_s < next_line_s_)) return;
  next_line_s_ = t_s + kLinePeriodS;
  const std::string heading = fmt::format(
      "{:8.1f} s  {} requests: {} ok, {} lost, {} wrong, {} lighter; {} retried; service {}", t_s,
      counts.requests, counts.ok, counts.lost, counts.wrong, counts.lighter, status.totals.retried,
      BytesText(status.service_pss_bytes));
  if (is_terminal_) {
    Draw(heading, status);
  } else {
    Say("{}\n", heading);
  }
}

void SoakDisplay::Draw(const std::string& heading, const runtime::ServiceStatus& status) {
  const winsize size = TerminalSize();
  const std::size_t columns = size.ws_col, rows = std::max<std::size_t>(size.ws_row, 4);
  view_.Add(static_cast<int>(::getpid()), status);
  Erase();
  std::string text = CutToWidth(heading, columns) + "\n";
  const auto lines = view_.Render(columns, rows - 3);
  for (const ViewLine& line : lines) text += line.text + "\n";
  std::fputs(text.c_str(), stderr);
  drawn_lines_ = lines.size() + 1;
}

void SoakDisplay::Erase() {
  if (drawn_lines_ > 0) Say("\x1b[{}A\x1b[J", std::exchange(drawn_lines_, 0));
}

}  // namespace holostat::app
