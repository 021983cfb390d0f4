#include "app/top_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

namespace holostat::app {
namespace {

using runtime::ProcessStatus;
using runtime::ServiceStatus;

constexpr std::size_t kHistory = 60;
constexpr std::size_t kShownHistory = 20;
constexpr std::size_t kBarWidth = 16;
constexpr std::size_t kMaxEvents = 8;

void Push(std::deque<double>& history, double value) {
  history.push_back(value);
  if (history.size() > kHistory) history.pop_front();
}

std::string Spark(const std::deque<double>& history, double least_top, Glyphs glyphs) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(history.size(), kShownHistory));
  return Sparkline(std::vector<double>(history.end() - count, history.end()), least_top, glyphs);
}

double RateOf(std::uint64_t now, std::uint64_t before, double seconds) {
  return seconds > 0 && now >= before ? static_cast<double>(now - before) / seconds : 0;
}

double MeanRate(const ProcessStatus& process) { return RateOf(process.requests, 0, process.age_s); }

bool IsLeaking(const ProcessStatus& process) {
  return process.growth == "leak" || process.growth == "fragmentation";
}

// What a row of the table is made from.
struct Row {
  const ProcessStatus& process;
  double rate;        // requests/s
  double most_bytes;  // the largest USS of all processes
  Glyphs glyphs;
};

std::string UssBar(const Row& row) {
  return Bar(static_cast<double>(row.process.uss_bytes) / row.most_bytes, 8, row.glyphs);
}

std::string HeapText(const Row& row) {
  return row.process.heap_bytes == 0 ? "-" : BytesText(row.process.heap_bytes);
}

struct Column {
  const char* title;
  int width;       // negative: to the left
  int importance;  // the least important leave first when there is no room
  std::string (*text)(const Row&);
};

constexpr std::array kColumns{
    Column{"ROLE", -10, 100, [](const Row& r) { return AsciiOnly(r.process.role); }},
    Column{"ID", 4, 95, [](const Row& r) { return fmt::to_string(r.process.id); }},
    Column{"PID", 8, 80, [](const Row& r) { return fmt::to_string(r.process.pid); }},
    Column{"STATE", -8, 90, [](const Row& r) { return AsciiOnly(r.process.state); }},
    Column{"GEN", 4, 20, [](const Row& r) { return fmt::to_string(r.process.generation); }},
    Column{"AGE", 9, 70, [](const Row& r) { return DurationText(r.process.age_s); }},
    Column{"REQUESTS", 9, 60, [](const Row& r) { return fmt::to_string(r.process.requests); }},
    Column{"REQ/S", 7, 65, [](const Row& r) { return fmt::format("{:.1f}", r.rate); }},
    Column{"USS", 9, 85, [](const Row& r) { return BytesText(r.process.uss_bytes); }},
    Column{"", -10, 15, UssBar},
    Column{"PSS", 9, 50, [](const Row& r) { return BytesText(r.process.pss_bytes); }},
    Column{"RSS", 9, 30, [](const Row& r) { return BytesText(r.process.rss_bytes); }},
    Column{"HEAP", 9, 10, HeapText},
    Column{"FDS", 4, 40, [](const Row& r) { return fmt::to_string(r.process.fds); }},
    Column{"THR", 4, 35, [](const Row& r) { return fmt::to_string(r.process.threads); }},
    Column{"GROWTH", -13, 75, [](const Row& r) { return AsciiOnly(r.process.growth); }},
};

std::size_t TableWidth(const std::vector<const Column*>& columns) {
  std::size_t sum = columns.size() - 1;  // a space between two
  for (const Column* column : columns) sum += static_cast<std::size_t>(std::abs(column->width));
  return sum;
}

// The most important columns that fit, in their order.
std::vector<const Column*> ChooseColumns(std::size_t width) {
  std::vector<const Column*> chosen(kColumns.size());
  std::transform(kColumns.begin(), kColumns.end(), chosen.begin(),
                 [](const Column& column) { return &column; });
  while (chosen.size() > 1 && TableWidth(chosen) > width) {
    chosen.erase(std::min_element(chosen.begin(), chosen.end(), [](const auto* a, const auto* b) {
      return a->importance < b->importance;
    }));
  }
  return chosen;
}

std::string Cell(const std::string& text, int width) {
  const int missing = std::abs(width) - static_cast<int>(WidthOf(text));
  const std::string fill(static_cast<std::size_t>(std::max(0, missing)), ' ');
  return width < 0 ? text + fill : fill + text;
}

template <class Text>
std::string Joined(const std::vector<const Column*>& columns, Text text) {
  std::string line;
  for (const Column* column : columns) {
    if (column != columns.front()) line += ' ';
    line += Cell(text(*column), column->width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::size_t CountWorkers(const ServiceStatus& status, std::string_view state) {
  return static_cast<std::size_t>(std::count_if(
      status.processes.begin(), status.processes.end(),
      [&](const auto& p) { return p.role == "worker" && (state.empty() || p.state == state); }));
}

ViewLine TitleLine(int pid, const ServiceStatus& status) {
  return {fmt::format("holostat {}   up {}   workers {}, {} busy   queue {} of {}", pid,
                      DurationText(status.uptime_s), CountWorkers(status, ""),
                      CountWorkers(status, "busy"), status.queue_length, status.queue_capacity),
          Emphasis::kTitle};
}

ViewLine LatencyLine(const ServiceStatus& status) {
  return {
      fmt::format("latency   p50 {}  p99 {}  max {}   recovery p50 {}  max {}",
                  MillisecondsText(status.latency.p50_ms), MillisecondsText(status.latency.p99_ms),
                  MillisecondsText(status.latency.max_ms), MillisecondsText(status.recovery_p50_ms),
                  MillisecondsText(status.recovery_max_ms))};
}

ViewLine MemoryLine(const ServiceStatus& status, const std::deque<double>& history, Glyphs glyphs) {
  const auto pss = static_cast<double>(status.service_pss_bytes);
  const auto budget = static_cast<double>(status.budget_bytes);
  std::string text = fmt::format("memory    {}", BytesText(status.service_pss_bytes));
  if (budget > 0) {
    text += fmt::format(" of {} {} {:.0f} %", BytesText(status.budget_bytes),
                        Bar(pss / budget, kBarWidth, glyphs), 100 * pss / budget);
  }
  text += fmt::format("   level {}   {}", AsciiOnly(status.memory_level),
                      Spark(history, budget, glyphs));
  const bool is_normal = status.memory_level == "normal" || status.memory_level.empty();
  return {text, is_normal ? Emphasis::kNone : Emphasis::kWarning};
}

ViewLine ExitsLine(const runtime::Totals& totals) {
  const runtime::WorkerExits& exits = totals.worker_exits;
  return {
      fmt::format("exits     recycled {}  crashed {}  hung {}  over budget {}  leak {}  "
                  "garbage {}  zygotes {}",
                  exits.recycled, exits.crashed, exits.hung, exits.over_budget, exits.leak,
                  exits.garbage, totals.zygote_restarts)};
}

ViewLine AlarmLine(const ServiceStatus& status) {
  std::string leaking;
  for (const ProcessStatus& process : status.processes) {
    if (!IsLeaking(process)) continue;
    leaking +=
        fmt::format("   {} {}: {}", AsciiOnly(process.role), process.id, AsciiOnly(process.growth));
  }
  return {fmt::format("alarms    {} so far{}", status.totals.leak_alarms, leaking),
          leaking.empty() ? Emphasis::kNone : Emphasis::kAlarm};
}

}  // namespace

void TopView::StartAnew(int pid, const ServiceStatus& status) {
  *this = TopView(glyphs_);
  pid_ = pid;
  Push(rates_, RateOf(status.totals.requests, 0, status.uptime_s));
  for (const ProcessStatus& process : status.processes) {
    process_rates_[process.pid] = MeanRate(process);
  }
}

void TopView::Compare(const ServiceStatus& status) {
  const double seconds = status.uptime_s - status_.uptime_s;
  Push(rates_, RateOf(status.totals.requests, status_.totals.requests, seconds));
  process_rates_.clear();
  for (const ProcessStatus& process : status.processes) {
    const auto before = std::find_if(status_.processes.begin(), status_.processes.end(),
                                     [&](const auto& p) { return p.pid == process.pid; });
    process_rates_[process.pid] = before == status_.processes.end()
                                      ? MeanRate(process)
                                      : RateOf(process.requests, before->requests, seconds);
  }
}

void TopView::Add(int pid, ServiceStatus status) {
  if (pid != pid_ || status.uptime_s < status_.uptime_s) {
    StartAnew(pid, status);
  } else {
    Compare(status);
  }
  Push(pss_, static_cast<double>(status.service_pss_bytes));
  status_ = std::move(status);
}

void TopView::AppendSummary(std::vector<ViewLine>& lines) const {
  const runtime::Totals& totals = status_.totals;
  lines.push_back(TitleLine(pid_, status_));
  lines.push_back({fmt::format("requests  {}   {:.1f}/s {}", totals.requests, rates_.back(),
                               Spark(rates_, 0, glyphs_))});
  lines.push_back({fmt::format(
      "answers   ok {}  client errors {}  retried {}  failed {}  "
      "refused {}",
      totals.ok, totals.client_errors, totals.retried, totals.failed, totals.refused)});
  lines.push_back(LatencyLine(status_));
  lines.push_back(MemoryLine(status_, pss_, glyphs_));
  lines.push_back(ExitsLine(totals));
  lines.push_back(AlarmLine(status_));
}

void TopView::AppendProcesses(std::vector<ViewLine>& lines, std::size_t columns,
                              std::size_t rows) const {
  const auto chosen = ChooseColumns(columns);
  lines.push_back({""});
  lines.push_back({Joined(chosen, [](const Column& c) { return c.title; }), Emphasis::kHeader});
  double most_bytes = 1;
  for (const ProcessStatus& process : status_.processes) {
    most_bytes = std::max(most_bytes, static_cast<double>(process.uss_bytes));
  }
  const std::size_t count = status_.processes.size();
  const std::size_t shown = count <= rows ? count : std::max<std::size_t>(rows, 1) - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    const ProcessStatus& process = status_.processes[i];
    const Row row{process, process_rates_.at(process.pid), most_bytes, glyphs_};
    lines.push_back({Joined(chosen, [&](const Column& c) { return c.text(row); }),
                     IsLeaking(process) ? Emphasis::kAlarm : Emphasis::kNone});
  }
  if (shown < count) lines.push_back({fmt::format("... and {} more", count - shown)});
}

void TopView::AppendEvents(std::vector<ViewLine>& lines, std::size_t rows) const {
  const std::size_t shown = std::min({status_.events.size(), kMaxEvents, rows});
  if (shown == 0) return;
  lines.push_back({""});
  for (std::size_t i = status_.events.size() - shown; i < status_.events.size(); ++i) {
    const runtime::ServiceEvent& event = status_.events[i];
    lines.push_back(
        {fmt::format("{:>10}  {}", DurationText(event.uptime_s), AsciiOnly(event.text))});
  }
}

std::vector<ViewLine> TopView::Render(std::size_t columns, std::size_t rows) const {
  if (pid_ == 0) return {};
  constexpr std::size_t kNoLimit = 1u << 20;
  const std::size_t height = rows == 0 ? kNoLimit : rows;
  std::vector<ViewLine> lines;
  const auto left = [&](std::size_t taken) {
    return height - std::min(height, lines.size() + taken);
  };
  AppendSummary(lines);
  // Besides its own two lines, room for an empty one and the last two events.
  AppendProcesses(lines, columns, left(2 + (status_.events.empty() ? 0 : 3)));
  AppendEvents(lines, left(1));
  if (lines.size() > height) lines.resize(height);
  for (ViewLine& line : lines) line.text = CutToWidth(line.text, columns);
  return lines;
}

}  // namespace holostat::app
