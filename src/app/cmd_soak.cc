#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/chaos_plan.h"
#include "app/command.h"
#include "app/demo_picture.h"
#include "app/linked_faults.h"
#include "app/memory_plot.h"
#include "app/output_file.h"
#include "app/say.h"
#include "app/service_options.h"
#include "app/soak_display.h"
#include "app/soak_driver.h"
#include "app/soak_monitor.h"
#include "app/soak_report.h"
#include "base/read_file.h"
#include "media/encode.h"
#include "runtime/signal_watch.h"
#include "runtime/supervisor.h"

namespace holostat::app {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMaxPictureBytes = 32u << 20;
constexpr milliseconds kReadyTimeout(120000);
constexpr milliseconds kStopGrace(10000);
constexpr milliseconds kReportsTimeout(30000);
constexpr milliseconds kWatchPeriod(500);

struct SoakCall {
  ServiceOptions service;
  std::vector<std::string> pictures;  // none: the demo picture
  bool synthetic = false;
  double seconds = 0;
  std::uint64_t requests = 0;
  std::size_t in_flight = 0;  // 0: two a worker
  std::string chaos;
  std::uint64_t seed = 1;
  std::string plot;  // a path; empty: none
  bool json = false;
  bool quiet = false;
};

double Milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// Nobody is in it, so that a request costs little more than its way there and back.
Result<SoakPicture> SyntheticPicture() {
  Image image(64, 64);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width() * 3; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(x + 2 * y);
  }
  const std::string bytes = HOLO_TRY(media::EncodePng(image.view()));
  return SoakPicture{"synthetic 64x64", {bytes.begin(), bytes.end()}};
}

Result<std::vector<SoakPicture>> LoadPictures(const SoakCall& call) {
  std::vector<SoakPicture> pictures;
  if (call.synthetic) pictures.push_back(HOLO_TRY(SyntheticPicture()));
  for (const std::string& path : call.pictures)
    pictures.push_back({path, HOLO_TRY(ReadFile(path, kMaxPictureBytes))});
  if (pictures.empty()) {
    const auto demo = DemoPicture();
    pictures.push_back({"demo", {demo.begin(), demo.end()}});
  }
  return pictures;
}

class Soak {
 public:
  Soak(const SoakCall& call, runtime::Supervisor& supervisor, SoakDriver& driver)
      : call_(call), supervisor_(supervisor), driver_(driver), display_(!call.quiet) {}

  Result<void> Run();
  SoakReport Report();
  std::string Json(const SoakReport& report);
  const SoakMonitor& monitor() const { return monitor_; }

 private:
  void Watch();
  double Seconds() const {
    return std::chrono::duration<double>(supervisor_.loop().Now() - start_).count();
  }

  const SoakCall& call_;
  runtime::Supervisor& supervisor_;
  SoakDriver& driver_;
  SoakDisplay display_;
  SoakMonitor monitor_;
  SteadyTime start_{};
  double seconds_ = 0;
  bool interrupted_ = false;
};

Result<void> Soak::Run() {
  auto& loop = supervisor_.loop();
  const auto signals =
      HOLO_TRY(runtime::SignalWatch::Create(loop, {SIGINT, SIGTERM, SIGHUP}, [this](int signal) {
        if (signal == SIGHUP) return supervisor_.Reload("SIGHUP");
        interrupted_ = true;
      }));
  supervisor_.ResetPeak();
  start_ = loop.Now();
  const auto watch = loop.Every(kWatchPeriod, [this] { Watch(); });
  while (!driver_.done()) {
    if (interrupted_ || (call_.seconds > 0 && Seconds() >= call_.seconds)) driver_.Stop();
    driver_.Fill();
    loop.Step(milliseconds(100));
  }
  seconds_ = Seconds();
  supervisor_.FinishReports(kReportsTimeout);
  Watch();
  return {};
}

void Soak::Watch() {
  const runtime::ServiceStatus status = supervisor_.Status();
  monitor_.Add(Seconds(), status);
  display_.Update(Seconds(), driver_.counts(), status);
}

SoakReport Soak::Report() {
  SoakReport report;
  const auto& counts = driver_.counts();
  const runtime::ServiceStatus status = supervisor_.Status();
  report.duration_s = seconds_;
  report.settings = {{"workers", fmt::to_string(status.processes.size())},
                     {"complexity", call_.service.complexity},
                     {"chaos", call_.chaos.empty() ? "none" : call_.chaos},
                     {"governed", call_.service.govern ? "yes" : "no"},
                     {"seed", fmt::to_string(call_.seed)}};
  report.settings[0].second = fmt::to_string(supervisor_.pool().options().workers);
  report.requests = counts.requests;
  report.ok = counts.ok;
  report.lost = counts.lost;
  report.wrong = counts.wrong;
  report.retried = status.totals.retried;
  report.refused = 0;  // those turned away are asked again, and so never count as requests
  report.restarts = status.totals.worker_exits;
  report.zygote_restarts = status.totals.zygote_restarts;
  report.peak_service_pss_bytes = supervisor_.peak_pss_bytes();
  report.budget_bytes = status.budget_bytes;
  report.p50_ms = status.latency.p50_ms;
  report.p99_ms = status.latency.p99_ms;
  report.recovery_p50_ms = status.recovery_p50_ms;
  report.recovery_max_ms = status.recovery_max_ms;
  monitor_.FillIn(report);
  return report;
}

std::string Soak::Json(const SoakReport& report) {
  const auto& stats = supervisor_.pool().stats();
  auto json = nlohmann::ordered_json::parse(SoakReportJson(report));
  json["lighter"] = driver_.counts().lighter;
  json["turned_away"] = driver_.counts().turned_away;
  json["ready_again_ms"] = {{"p50", Milliseconds(stats.first_answer.Quantile(0.5))},
                            {"max", Milliseconds(stats.first_answer.max())},
                            {"count", stats.first_answer.count()}};
  json["cold_start_ms"] = supervisor_.zygote_load_ms();
  json["faults"] = driver_.first_faults();
  json["status"] = nlohmann::ordered_json::parse(runtime::ToJson(supervisor_.Status()));
  return json.dump();
}

void PrintText(const SoakReport& report, const SoakDriver& driver,
               const runtime::Supervisor& supervisor) {
  fmt::print("{}", SoakReportText(report));
  const auto& first_answer = supervisor.pool().stats().first_answer;
  if (first_answer.count() > 0) {
    fmt::print(
        "\nready again: {:.1f} ms median from the death of a worker to its successor's first "
        "answer, the "
        "inference itself left out;\na new process needs {} ms to load the models\n",
        Milliseconds(first_answer.Quantile(0.5)), supervisor.zygote_load_ms());
  }
  if (driver.counts().lighter > 0)
    fmt::print("{} answers were given by the lite model, for want of memory\n",
               driver.counts().lighter);
  for (const std::string& fault : driver.first_faults()) fmt::print("{}\n", fault);
}

Result<void> WritePlot(const SoakCall& call, const SoakMonitor& monitor, const SoakReport& report) {
  if (call.plot.empty()) return {};
  const std::string note =
      fmt::format("{} requests, {} lost, {} wrong; faults: {}", report.requests, report.lost,
                  report.wrong, call.chaos.empty() ? "none" : call.chaos);
  return WriteFile(call.plot,
                   MemoryPlotSvg(monitor.series(), {.title = "Memory of a soaked service",
                                                    .note = note,
                                                    .budget_bytes = report.budget_bytes}));
}

// The parser lets "nan" through its ranges.
Result<void> CheckCall(const SoakCall& call) {
  if (!std::isfinite(call.seconds) || !std::isfinite(call.service.job_timeout_s))
    return Fail(ErrorCode::kInvalidArgument, "--seconds and --job-timeout must be finite numbers");
  if (!call.chaos.empty() && LinkedFaults() == nullptr) {
    return Fail(ErrorCode::kUnsupported,
                "--chaos needs the program with faults in it: build/release/holostat-chaos");
  }
  if (!call.plot.empty() && !call.plot.ends_with(".svg"))
    return Fail(ErrorCode::kInvalidArgument, "--plot writes SVG: give a name that ends in .svg");
  return {};
}

bool Passed(const SoakReport& report) { return report.lost == 0 && report.wrong == 0; }

ExitCode Drive(const SoakCall& call, runtime::Supervisor& supervisor, SoakDriver& driver) {
  if (const auto ready = supervisor.WaitUntilReady(kReadyTimeout); !ready)
    return Stop(ready.error(), ExitCode::kInternal);
  if (const auto taken = driver.TakeReferences(LoadedComplexities(call.service)); !taken)
    return Stop(taken.error(), InputExitCode(taken.error().code));
  Soak soak(call, supervisor, driver);
  if (const auto ran = soak.Run(); !ran) return Stop(ran.error(), ExitCode::kInternal);
  const SoakReport report = soak.Report();
  if (call.json) {
    fmt::print("{}\n", soak.Json(report));
  } else {
    PrintText(report, driver, supervisor);
  }
  if (const auto written = WritePlot(call, soak.monitor(), report); !written)
    return Stop(written.error(), OutputExitCode(written.error().code));
  return Passed(report) ? ExitCode::kOk : ExitCode::kInternal;
}

ExitCode RunSoak(SoakCall call) {
  if (call.seconds == 0 && call.requests == 0) call.seconds = 60;
  if (const auto checked = CheckCall(call); !checked)
    return Stop(checked.error(), ExitCode::kUsage);
  auto chaos = ChaosPlan::Parse(call.chaos, call.seed);
  if (!chaos) return Stop(chaos.error(), ExitCode::kUsage);
  auto pictures = LoadPictures(call);
  if (!pictures) return Stop(pictures.error(), InputExitCode(pictures.error().code));
  auto options = ToSupervisorOptions(call.service);
  if (!options) return Stop(options.error(), ExitCode::kModel);
  if (!call.quiet && ::isatty(STDERR_FILENO) != 1) {  // on a terminal the view shows the last ones
    options->on_event = [](const runtime::ServiceEvent& event) {
      Say("{:8.3f} {}\n", event.uptime_s, event.text);
    };
  }
  const SystemClock clock;
  auto supervisor = runtime::Supervisor::Start(clock, *options);
  if (!supervisor) return Stop(supervisor.error(), ExitCode::kInternal);
  SoakDriver driver(**supervisor, *std::move(chaos),
                    {.pictures = *std::move(pictures),
                     .complexity = ComplexityOf(call.service),
                     .in_flight = call.in_flight != 0 ? call.in_flight : 2 * options->pool.workers,
                     .max_requests = call.requests});
  const ExitCode code = Drive(call, **supervisor, driver);
  const std::string account = (*supervisor)->Stop(kStopGrace);
  if (!options->on_event) Say("stopped: {}\n", account);
  return code == ExitCode::kOk && account != runtime::kNothingLeaked ? ExitCode::kInternal : code;
}

constexpr char kFooter[] =
    "Starts a service without its network side and keeps it busy; each answer is compared with "
    "what the "
    "same\npicture gave before any fault. Exit code 0: nothing lost, nothing wrong, nothing left "
    "behind.\n\n"
    "Faults (--chaos, only in holostat-chaos): NAME=SHARE[:ARGUMENT], joined by commas. Names: "
    "crash, abort,\n"
    "exit:CODE, hang, spin, leak:1MB, fdleak:N, grow:64MB, garbage, nonsense, slow:20ms, "
    "die-answering,\n"
    "die-answered (docs/runtime.md).\n\n"
    "Examples:\n"
    "  holostat soak --seconds 60\n"
    "  holostat soak --requests 200000 --synthetic --complexity lite --plot memory.svg\n"
    "  holostat soak --seconds 600 --workers 4 pictures/*.jpg --json | jq "
    ".uss_slope_bytes_per_min\n"
    "  holostat-chaos soak --seconds 40 --workers 2 --chaos crash=0.01,hang=0.002,leak=0.2:1MB";

}  // namespace

Command AddSoakCommand(CLI::App& program) {
  auto call = std::make_shared<SoakCall>();
  CLI::App* parser = program.add_subcommand(
      "soak", "Keep a service busy for long, and report on memory and losses");
  parser->footer(kFooter);
  AddServiceOptions(*parser, call->service);
  parser->add_option("pictures", call->pictures,
                     "Pictures to track in turn (default: one built in)");
  parser->add_flag("--synthetic", call->synthetic, "A tiny picture of nobody: cheap requests");
  parser
      ->add_option("--seconds", call->seconds, "How long (default 60, if --requests is not given)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  parser->add_option("--requests", call->requests, "How many")->type_name("N");
  parser
      ->add_option("--in-flight", call->in_flight,
                   "Requests on the way at a time (default: two a worker)")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  parser->add_option("--chaos", call->chaos, "Faults, see below (holostat-chaos only)")
      ->type_name("SPEC");
  parser->add_option("--seed", call->seed, "Of the faults (default 1)")->type_name("N");
  parser->add_option("--plot", call->plot, "Draw memory over time into this .svg file")
      ->type_name("FILE");
  parser->add_flag("!--no-govern", call->service.govern,
                   "Neither governor nor recycling: a negative control");
  parser->add_flag("--json", call->json, "Report as one line of JSON (docs/soak-report.md)");
  parser->add_flag("--quiet", call->quiet, "Show nothing while it runs");
  return {parser, [call] { return RunSoak(*call); }};
}

}  // namespace holostat::app
