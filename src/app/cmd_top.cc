#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/command.h"
#include "app/find_service.h"
#include "app/say.h"
#include "app/screen.h"
#include "app/top_view.h"

namespace holostat::app {
namespace {

struct TopCall {
  std::optional<int> pid;
  bool once = false;
  bool json = false;
  double interval_s = 1;
};

std::chrono::milliseconds Interval(const TopCall& call) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(call.interval_s * 1000));
}

ExitCode StopWithout(const Error& error) {
  return Stop(error, error.code == ErrorCode::kInvalidArgument ? ExitCode::kUsage
                                                               : ExitCode::kInputUnreadable);
}

void PrintPlain(const std::vector<ViewLine>& lines) {
  for (const ViewLine& line : lines) fmt::print("{}\n", line.text);
}

// Lines for a file, a pipe or a script; ends when the service does.
ExitCode PrintOften(const TopCall& call) {
  TopView view(GlyphsOfEnvironment());
  for (std::optional<int> pid = call.pid;; std::this_thread::sleep_for(Interval(call))) {
    auto service = FindService(pid);
    if (!service) return StopWithout(service.error());
    if (pid && !call.json) fmt::print("\n");
    pid = service->pid;
    if (call.json) {
      fmt::print("{}\n", service->answer);
    } else {
      view.Add(*pid, std::move(service->status));
      PrintPlain(view.Render(std::numeric_limits<std::size_t>::max(), 0));
    }
    // Whoever reads wants each as it comes; nobody reads any more: that is an end like another.
    if (call.once || std::fflush(stdout) != 0) return ExitCode::kOk;
  }
}

// What is on the screen: the view, and why it is not of now where it is not.
class LiveView {
 public:
  LiveView() : view_(GlyphsOfEnvironment()) {}

  void Take(Result<FoundService> service) {
    trouble_ = service ? "" : service.error().message;
    if (service) view_.Add(service->pid, std::move(service->status));
  }
  void Draw(Screen& screen) const {
    const Screen::Size size = Screen::size();
    const std::size_t rows = std::max<std::size_t>(size.rows, 3) - 2;
    auto lines = view_.Render(size.columns, rows);
    std::string last = trouble_.empty() ? "q: leave" : "q: leave   no answer: " + trouble_;
    lines.push_back({CutToWidth(AsciiOnly(last), size.columns),
                     trouble_.empty() ? Emphasis::kNone : Emphasis::kWarning});
    screen.Draw(lines);
  }

 private:
  TopView view_;
  std::string trouble_;
};

// Goes on when the service does not answer: it may come back, and another one may take its place.
ExitCode ShowLive(const TopCall& call) {
  using Clock = std::chrono::steady_clock;
  auto service = FindService(call.pid);
  if (!service) return StopWithout(service.error());
  auto screen = Screen::Create();
  if (!screen) return Stop(screen.error(), ExitCode::kInternal);
  LiveView view;
  view.Take(std::move(service));
  auto next = Clock::now() + Interval(call);
  const auto wait = [&] {
    view.Draw(**screen);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    return (*screen)->Wait(std::max(left, std::chrono::milliseconds(0)));
  };
  while (wait() != Screen::Event::kLeave) {
    if (Clock::now() < next) continue;
    view.Take(FindService(call.pid));
    next = Clock::now() + Interval(call);
  }
  const int signal = (*screen)->fatal_signal();
  screen->reset();
  if (signal != 0) ::raise(signal);
  return ExitCode::kOk;
}

ExitCode Top(const TopCall& call) {
  if (std::isnan(call.interval_s)) {  // which the parser's range lets through
    return Stop({ErrorCode::kInvalidArgument, "--interval is no number"}, ExitCode::kUsage);
  }
  return call.once || call.json || !Screen::IsPossible() ? PrintOften(call) : ShowLive(call);
}

constexpr char kFooter[] =
    "On a terminal the view redraws itself until q or Ctrl-C; elsewhere it is lines of text.\n"
    "Sizes in units of 1024. Rates are between two views; of the first one, since the start.\n"
    "NO_COLOR=1 leaves out colours.\n\n"
    "Examples:\n"
    "  holostat top                         the service that runs here\n"
    "  holostat top --pid 4711 --interval 5\n"
    "  holostat top --once                  one view, as text\n"
    "  holostat top --once --json | jq .totals.worker_exits\n"
    "  holostat top --json --interval 60 >> status.jsonl\n\n"
    "Exit codes: 0 seen; 2 several services run and none was chosen; 3 none runs, or it does not\n"
    "answer.";

}  // namespace

Command AddTopCommand(CLI::App& program) {
  auto call = std::make_shared<TopCall>();
  CLI::App* parser = program.add_subcommand("top", "Watch the processes of a running service");
  parser->footer(kFooter);
  parser->add_option("--pid", call->pid, "The process to ask, where several services run")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()))
      ->type_name("PID");
  parser->add_flag("--once", call->once, "One view, then leave");
  parser->add_flag("--json", call->json,
                   "The status as JSON, one line a view (docs/status-json.md)");
  parser->add_option("--interval", call->interval_s, "Seconds between two views")
      ->check(CLI::Range(0.1, 3600.0))
      ->type_name("S")
      ->capture_default_str();
  return {parser, [call] { return Top(*call); }};
}

}  // namespace holostat::app
