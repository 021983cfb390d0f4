#include "app/memory_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "app/plot_scale.h"
#include "app/text_bars.h"
#include "render/xml_text.h"

namespace holostat::app {
namespace {

using runtime::EndCause;
using runtime::MemorySeries;
using runtime::SeriesPoint;

// In pixels of the picture.
constexpr double kWidth = 1120;
constexpr double kLeft = 96, kRight = 900;  // of all panels; the legend is right of them
constexpr double kLegend = kRight + 20;
constexpr double kServiceTop = 84, kServiceBottom = 264;
constexpr double kProcessTop = 304, kProcessBottom = 504;
constexpr double kEndsTop = 522, kEndRow = 18;

// Each is told from both backgrounds.
constexpr std::string_view kStyle =
    "<style>"
    "text{font:13px system-ui,sans-serif;fill:#1f2328}"
    ".title{font-size:18px;font-weight:600}.small{font-size:12px;fill:#59636e}"
    ".back{fill:#ffffff}.grid{stroke:#d8dee4;fill:none}.axis{stroke:#818b98;fill:none}"
    ".pss{stroke:#2f81c7;stroke-width:2;fill:none}.area{fill:#2f81c7;fill-opacity:.15}"
    ".budget{stroke:#d1242f;stroke-width:1.5;stroke-dasharray:7 4;fill:none}"
    ".line{stroke-width:1.3;fill:none;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}"
    ".back{fill:#0d1117}.grid{stroke:#30363d}}"
    "</style>";

constexpr std::array<std::string_view, 6> kWorkerColours{"#2f81c7", "#2a9d8f", "#8a63d2",
                                                         "#c2843a", "#5a8f29", "#c65d9a"};

struct Mark {
  EndCause cause;
  std::string_view colour;
  std::string_view path;  // around 0,0
  bool filled;
};
constexpr std::array kMarks{
    Mark{EndCause::kStopped, "#818b98", "M0,-4V4", false},
    Mark{EndCause::kRecycled, "#818b98", "M-3.5,0A3.5,3.5 0 1 0 3.5,0A3.5,3.5 0 1 0 -3.5,0Z",
         false},
    Mark{EndCause::kCrashed, "#d1242f", "M-4,-4L4,4M-4,4L4,-4", false},
    Mark{EndCause::kHung, "#d97706", "M0,-5L4.5,3.5H-4.5Z", true},
    Mark{EndCause::kOverBudget, "#8250df", "M0,-5L5,0L0,5L-5,0Z", true},
    Mark{EndCause::kLeak, "#bf3989", "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z", true},
    Mark{EndCause::kGarbage, "#9a6b3f", "M-4,-4H4V4H-4Z", true},
};
static_assert(kMarks.size() == runtime::kEndCauses);

const Mark& MarkOf(EndCause cause) { return kMarks[static_cast<std::size_t>(cause) - 1]; }

std::string Escaped(std::string_view text) {
  std::string escaped;
  render::AppendXmlText(text, escaped);
  return escaped;
}

// One panel's way from values to pixels.
struct Panel {
  const Axis& times;
  const Axis& values;
  double top, bottom;

  double X(double t_s) const {
    return kLeft + (kRight - kLeft) * std::clamp(t_s / times.top, 0.0, 1.0);
  }
  double Y(double value) const {
    return bottom - (bottom - top) * std::min(value / values.top, 1.0);
  }
};

class Drawing {
 public:
  template <class... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }
  // `attributes` are ours, `text` may be anyone's.
  void Text(double x, double y, std::string_view attributes, std::string_view text) {
    Add("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, Escaped(text));
  }
  void Line(double x1, double y1, double x2, double y2, std::string_view attributes) {
    Add("<path {} d=\"M{:.1f},{:.1f}L{:.1f},{:.1f}\"/>\n", attributes, x1, y1, x2, y2);
  }
  void PlaceMark(double x, double y, const Mark& mark, std::string_view tip) {
    Add("<path transform=\"translate({:.1f},{:.1f})\" d=\"{}\" stroke=\"{}\" stroke-width=\"1.6\" "
        "fill=\"{}\"><title>{}</title></path>\n",
        x, y, mark.path, mark.colour, mark.filled ? mark.colour : "none", Escaped(tip));
  }
  std::string Take() && { return std::move(svg_); }

 private:
  std::string svg_;
};

std::string PathOf(const Panel& panel, const std::vector<SeriesPoint>& points) {
  std::string path;
  for (const SeriesPoint& point : points) {
    fmt::format_to(std::back_inserter(path), "{}{:.1f},{:.1f}", path.empty() ? "M" : "L",
                   panel.X(point.t_s), panel.Y(point.bytes));
  }
  // A life of one sample is a dot.
  if (points.size() == 1) path += "h0.5";
  return path;
}

void DrawGrid(Drawing& drawing, const Panel& panel, std::string_view name) {
  for (const double tick : panel.times.Ticks()) {
    const double x = panel.X(tick);
    drawing.Line(x, panel.top, x, panel.bottom, "class=\"grid\"");
  }
  for (const double tick : panel.values.Ticks()) {
    const double y = panel.Y(tick);
    drawing.Line(kLeft, y, kRight, y, tick > 0 ? "class=\"grid\"" : "class=\"axis\"");
    drawing.Text(kLeft - 8, y + 4, "text-anchor=\"end\"", panel.values.Label(tick));
  }
  drawing.Text(kLeft, panel.top - 9, "", fmt::format("{} ({})", name, panel.values.unit));
}

void DrawService(Drawing& drawing, const Panel& panel, const MemorySeries& series, double budget) {
  DrawGrid(drawing, panel, "Service, PSS of all processes");
  const auto points = series.service().Points();
  if (!points.empty()) {
    const std::string path = PathOf(panel, points);
    drawing.Add("<path class=\"area\" d=\"{}L{:.1f},{:.1f}H{:.1f}Z\"/>\n", path,
                panel.X(points.back().t_s), panel.bottom, panel.X(points.front().t_s));
    drawing.Add("<path class=\"pss\" d=\"{}\"/>\n", path);
  }
  const double y = panel.top + 12;
  drawing.Line(kLegend, y, kLegend + 24, y, "class=\"pss\"");
  drawing.Text(kLegend + 32, y + 4, "", "service PSS");
  drawing.Text(kLegend + 32, y + 20, "class=\"small\"",
               "peak " + BytesText(static_cast<std::uint64_t>(series.service().largest())));
  if (budget <= 0) return;
  drawing.Line(kLeft, panel.Y(budget), kRight, panel.Y(budget), "class=\"budget\"");
  drawing.Line(kLegend, y + 44, kLegend + 24, y + 44, "class=\"budget\"");
  drawing.Text(kLegend + 32, y + 48, "", "budget");
  drawing.Text(kLegend + 32, y + 64, "class=\"small\"",
               BytesText(static_cast<std::uint64_t>(budget)));
}

std::string_view ColourOf(const MemorySeries::Line& line, std::size_t number) {
  if (line.role == "supervisor") return "#818b98";
  if (line.role == "zygote") return "#b08800";
  return kWorkerColours[number % kWorkerColours.size()];
}

void DrawLife(Drawing& drawing, const Panel& panel, const MemorySeries::Line& line,
              std::size_t number) {
  const auto points = line.uss.Points();
  if (points.empty()) return;
  const std::string name = fmt::format("{} {}", line.role, line.id);
  auto drawn = points;
  if (line.ended && line.ended_s > drawn.back().t_s) {
    drawn.push_back({line.ended_s, drawn.back().bytes});
  }
  drawing.Add("<path class=\"line\" stroke=\"{}\" d=\"{}\"><title>{}</title></path>\n",
              ColourOf(line, number), PathOf(panel, drawn), Escaped(name));
  if (!line.ended) return;
  drawing.PlaceMark(
      panel.X(line.ended_s), panel.Y(drawn.back().bytes), MarkOf(line.cause),
      fmt::format("{}: {} at {}, {}", name, EndCauseName(line.cause), DurationText(line.ended_s),
                  BytesText(static_cast<std::uint64_t>(drawn.back().bytes))));
}

// The legend: a sample of each role's colours, and what part of its processes is drawn.
void DrawRoles(Drawing& drawing, const Panel& panel, const MemorySeries& series) {
  double y = panel.top + 12;
  for (const MemorySeries::Role& role : series.roles()) {
    const bool varied = role.name != "supervisor" && role.name != "zygote";
    for (std::size_t i = 0; i < (varied ? 3u : 1u); ++i) {
      const double x = kLegend + 8 * static_cast<double>(i);
      const MemorySeries::Line sample{.role = role.name, .uss = runtime::BoundedSeries(2)};
      drawing.Line(x, y, x + (varied ? 8 : 24), y,
                   fmt::format("class=\"line\" style=\"stroke-width:2.5\" stroke=\"{}\"",
                               ColourOf(sample, i)));
    }
    drawing.Text(kLegend + 32, y + 4, "", role.name);
    if (role.every > 1) {
      y += 16;
      drawing.Text(kLegend + 32, y + 4, "class=\"small\"",
                   fmt::format("1 of {} is drawn", role.every));
    }
    y += 20;
  }
}

void DrawProcesses(Drawing& drawing, const Panel& panel, const MemorySeries& series) {
  DrawGrid(drawing, panel, "Each process, USS (private memory)");
  std::size_t number = 0;
  for (const MemorySeries::Line& line : series.lines()) DrawLife(drawing, panel, line, number++);
  DrawRoles(drawing, panel, series);
}

std::uint64_t CountEnds(const MemorySeries& series, EndCause cause) {
  std::uint64_t sum = 0;
  for (const auto& slot : series.ends()) sum += slot[static_cast<std::size_t>(cause) - 1];
  return sum;
}

void DrawEndsOf(Drawing& drawing, const Panel& panel, const MemorySeries& series, const Mark& mark,
                double y) {
  const auto of = [&](const MemorySeries::Ends& ends) {
    return ends[static_cast<std::size_t>(mark.cause) - 1];
  };
  std::uint32_t most = 1;
  for (const auto& slot : series.ends()) most = std::max(most, of(slot));
  const double slot_s = series.end_slot_s();
  for (std::size_t i = 0; i < MemorySeries::kEndSlots; ++i) {
    const std::uint32_t count = of(series.ends()[i]);
    if (count == 0) continue;
    const double from = panel.X(slot_s * static_cast<double>(i));
    const double to = panel.X(slot_s * static_cast<double>(i + 1));
    drawing.Add(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\" "
        "fill-opacity=\"{:.2f}\"><title>{} {}, from {}</title></rect>\n",
        from, y, std::max(to - from, 1.5), kEndRow - 5, mark.colour,
        0.35 + 0.65 * static_cast<double>(count) / static_cast<double>(most), count,
        EndCauseName(mark.cause), DurationText(slot_s * static_cast<double>(i)));
  }
}

// A row for each cause that there was; gives where the rows end.
double DrawEnds(Drawing& drawing, const Panel& panel, const MemorySeries& series) {
  double y = kEndsTop;
  for (const Mark& mark : kMarks) {
    const std::uint64_t count = CountEnds(series, mark.cause);
    if (count == 0) continue;
    drawing.Text(kLeft - 8, y + 11, "text-anchor=\"end\"", EndCauseName(mark.cause));
    DrawEndsOf(drawing, panel, series, mark, y);
    drawing.PlaceMark(kLegend + 12, y + 7, mark, EndCauseName(mark.cause));
    drawing.Text(kLegend + 32, y + 11, "", fmt::format("{} {}", count, EndCauseName(mark.cause)));
    y += kEndRow;
  }
  return y;
}

double DrawTimeAxis(Drawing& drawing, const Panel& panel, double y) {
  drawing.Line(kLeft, y, kRight, y, "class=\"axis\"");
  for (const double tick : panel.times.Ticks()) {
    drawing.Line(panel.X(tick), y, panel.X(tick), y + 5, "class=\"axis\"");
    drawing.Text(panel.X(tick), y + 20, "text-anchor=\"middle\"", panel.times.Label(tick));
  }
  drawing.Text((kLeft + kRight) / 2, y + 40, "text-anchor=\"middle\"",
               fmt::format("time since the start ({})", panel.times.unit));
  return y + 54;
}

double LargestUss(const MemorySeries& series) {
  double largest = 0;
  for (const MemorySeries::Line& line : series.lines()) {
    largest = std::max(largest, line.uss.largest());
  }
  return largest;
}

}  // namespace

std::string MemoryPlotSvg(const MemorySeries& series, const MemoryPlotOptions& options) {
  const auto budget = static_cast<double>(options.budget_bytes);
  const Axis times = TimeAxis(series.duration_s());
  const Axis pss = BytesAxis(std::max(series.service().largest(), budget) * 1.02);
  const Axis uss = BytesAxis(LargestUss(series) * 1.02);
  const Panel service{times, pss, kServiceTop, kServiceBottom};
  const Panel processes{times, uss, kProcessTop, kProcessBottom};

  Drawing body;
  body.Text(24, 32, "class=\"title\"", options.title);
  body.Text(24, 52, "class=\"small\"", options.note);
  DrawService(body, service, series, budget);
  DrawProcesses(body, processes, series);
  const double ends_bottom = DrawEnds(body, processes, series);
  const double height = DrawTimeAxis(body, processes, ends_bottom + 2);

  const std::string title = Escaped(options.title);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n{3}\n"
      "<rect class=\"back\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{4}</svg>\n",
      kWidth, height, title, kStyle, std::move(body).Take());
}

}  // namespace holostat::app
