#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/chaos_plan.h"
#include "app/command.h"
#include "app/demo_picture.h"
#include "app/linked_faults.h"
#include "app/say.h"
#include "app/service_options.h"
#include "app/soak_driver.h"
#include "base/read_file.h"
#include "runtime/signal_watch.h"
#include "runtime/supervisor.h"

namespace holostat::app {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMaxPictureBytes = 32u << 20;
constexpr milliseconds kStopGrace(5000);

struct SoakCall {
  ServiceOptions service;
  std::vector<std::string> pictures;  // none: the demo picture
  double seconds = 0;
  std::uint64_t requests = 0;
  std::size_t in_flight = 0;  // 0: two a worker
  std::string chaos;
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
};

Result<std::vector<SoakPicture>> LoadPictures(const SoakCall& call) {
  std::vector<SoakPicture> pictures;
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
      : call_(call), supervisor_(supervisor), driver_(driver) {}

  Result<void> Run();
  void Print();

 private:
  const SoakCall& call_;
  runtime::Supervisor& supervisor_;
  SoakDriver& driver_;
  double seconds_ = 0;
};

Result<void> Soak::Run() {
  auto& loop = supervisor_.loop();
  bool interrupted = false;
  const auto signals =
      HOLO_TRY(runtime::SignalWatch::Create(loop, {SIGINT, SIGTERM, SIGHUP}, [&](int signal) {
        if (signal == SIGHUP) return supervisor_.Reload("SIGHUP");
        interrupted = true;
      }));
  const SteadyTime start = loop.Now();
  const auto over = [&] {
    const std::chrono::duration<double> passed = loop.Now() - start;
    return interrupted || (call_.seconds > 0 && passed.count() >= call_.seconds);
  };
  while (!driver_.done()) {
    if (over()) driver_.Stop();
    driver_.Fill();
    loop.Step(milliseconds(100));
  }
  seconds_ = std::chrono::duration<double>(loop.Now() - start).count();
  return {};
}

void Soak::Print() {
  const auto& counts = driver_.counts();
  const runtime::ServiceStatus status = supervisor_.Status();
  const auto& stats = supervisor_.pool().stats();
  nlohmann::ordered_json json{
      {"seconds", seconds_},
      {"requests", counts.requests},
      {"ok", counts.ok},
      {"lost", counts.lost},
      {"wrong", counts.wrong},
      {"lighter", counts.lighter},
      {"peak_pss_bytes", supervisor_.peak_pss_bytes()},
      {"first_answer_p50_ms",
       std::chrono::duration<double, std::milli>(stats.first_answer.Quantile(0.5)).count()},
      {"status", nlohmann::ordered_json::parse(runtime::ToJson(status))},
      {"faults", driver_.first_faults()}};
  fmt::print("{}\n", json.dump(call_.json ? -1 : 2));
}

ExitCode RunSoak(const SoakCall& call) {
  if (!call.chaos.empty() && LinkedFaults() == nullptr) {
    return Stop({ErrorCode::kUnsupported,
                 "--chaos needs the program with faults in it: build/release/holostat-chaos"},
                ExitCode::kUsage);
  }
  auto chaos = ChaosPlan::Parse(call.chaos, call.seed);
  if (!chaos) return Stop(chaos.error(), ExitCode::kUsage);
  auto pictures = LoadPictures(call);
  if (!pictures) return Stop(pictures.error(), InputExitCode(pictures.error().code));
  auto options = ToSupervisorOptions(call.service);
  if (!options) return Stop(options.error(), ExitCode::kModel);
  if (!call.quiet) {
    options->on_event = [](const runtime::ServiceEvent& event) {
      Say("{:8.3f} {}\n", event.uptime_s, event.text);
    };
  }
  const SystemClock clock;
  auto supervisor = runtime::Supervisor::Start(clock, *options);
  if (!supervisor) return Stop(supervisor.error(), ExitCode::kInternal);
  if (const auto ready = (*supervisor)->WaitUntilReady(milliseconds(60000)); !ready)
    return Stop(ready.error(), ExitCode::kInternal);
  const std::size_t in_flight = call.in_flight != 0 ? call.in_flight : 2 * options->pool.workers;
  SoakDriver driver(**supervisor, *std::move(chaos),
                    {.pictures = *std::move(pictures),
                     .complexity = ComplexityOf(call.service),
                     .in_flight = in_flight,
                     .max_requests = call.requests});
  if (const auto taken = driver.TakeReferences(LoadedComplexities(call.service)); !taken)
    return Stop(taken.error(), ExitCode::kInternal);
  Soak soak(call, **supervisor, driver);
  if (const auto ran = soak.Run(); !ran) return Stop(ran.error(), ExitCode::kInternal);
  soak.Print();
  const std::string account = (*supervisor)->Stop(kStopGrace);
  if (call.quiet) Say("{}\n", account);
  return ExitCode::kOk;
}

}  // namespace

Command AddSoakCommand(CLI::App& program) {
  auto call = std::make_shared<SoakCall>();
  CLI::App* parser = program.add_subcommand("soak", "Drive the workers for long, and report");
  AddServiceOptions(*parser, call->service);
  parser->add_option("pictures", call->pictures, "Pictures to track in turn");
  parser->add_option("--seconds", call->seconds, "How long")->type_name("S");
  parser->add_option("--requests", call->requests, "How many")->type_name("N");
  parser->add_option("--in-flight", call->in_flight, "Requests on the way at a time")
      ->type_name("N");
  parser->add_option("--chaos", call->chaos, "Faults")->type_name("SPEC");
  parser->add_option("--seed", call->seed, "Of the faults")->type_name("N");
  parser->add_flag("!--no-govern", call->service.govern, "Neither governor nor recycling");
  parser->add_flag("--json", call->json, "As one line of JSON");
  parser->add_flag("--quiet", call->quiet, "No events");
  return {parser, [call] { return RunSoak(*call); }};
}

}  // namespace holostat::app
