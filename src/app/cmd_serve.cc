#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/models_dir.h"
#include "app/say.h"
#include "app/serve_config.h"
#include "app/service_log.h"
#include "app/setting_flags.h"
#include "app/settings_file.h"
#include "runtime/resource_account.h"
#include "runtime/service_notify.h"
#include "runtime/supervisor.h"
#include "server/auth.h"
#include "server/server.h"

namespace holostat::app {
namespace {

constexpr std::chrono::milliseconds kStopGrace(10000);

struct ServeCall {
  std::string config_file;
  GivenFlags flags;
  bool print_config = false;
  bool check_config = false;
};

ExitCode StopForAll(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) Say("holostat: {}\n", Printable(problem));
  return ExitCode::kUsage;
}

// What can be found wrong before anything is started.
std::vector<std::string> Check(ServeConfig& config, std::string& warning) {
  std::vector<std::string> problems;
  if (!config.token_file.empty()) {
    if (auto token = ReadToken(config.token_file)) {
      config.server.token = std::move(token->text);
      warning = std::move(token->warning);
    } else {
      return {token.error().message};
    }
  }
  if (const auto exposed = server::CheckExposure(config.server); !exposed)
    problems.push_back(exposed.error().message);
  for (const std::string& file : {config.server.tls_certificate, config.server.tls_key}) {
    if (!file.empty() && ::access(file.c_str(), R_OK) != 0)
      problems.push_back(fmt::format("cannot read {}", file));
  }
  return problems;
}

// Signals that come while the service starts wait for the server, which stops for them in order.
// A log that nobody reads any more is no reason to end.
void PrepareSignals() {
  sigset_t later;
  ::sigemptyset(&later);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&later, signal);
  ::pthread_sigmask(SIG_BLOCK, &later, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

// What the service manager is told, and what changed since.
server::Server::Hooks Hooks(const ServeConfig& config, ServiceLog& log,
                            runtime::ServiceNotify& notify) {
  server::Server::Hooks hooks;
  if (config.log_requests)
    hooks.log = [&log](const server::RequestLogEntry& entry) { log.Request(entry); };
  hooks.reload = [&notify] { notify.Reloading(); };
  hooks.log_lines_dropped = [&log] { return log.dropped(); };
  hooks.heartbeat = [&notify](bool ready, bool draining) {
    if (draining) {
      notify.Stopping();
    } else if (ready) {
      notify.Ready();
    }
    notify.Status(draining ? "finishing requests" : ready ? "ready" : "waiting for workers");
  };
  return hooks;
}

void PrintLink(const server::Server& server, ServiceLog& log, const ServeConfig& config) {
  fmt::print("Holostat is listening on {}/\n", server.url());
  std::fflush(stdout);
  log.Message("open it in a browser, or: curl --data-binary @picture.jpg " + server.url() +
              "/v1/track");
  if (!config.server.token.empty())
    log.Message(fmt::format("with the header: Authorization: Bearer $(cat {})", config.token_file));
  log.Message("Ctrl-C or SIGTERM: finish and stop; SIGHUP: load the models anew");
}

std::unique_ptr<runtime::ServiceNotify> Notify(ServiceLog& log) {
  auto notify = runtime::ServiceNotify::Create(runtime::ServiceNotify::TakeVariables());
  if (notify) return *std::move(notify);
  log.Message(notify.error().message);
  return *runtime::ServiceNotify::Create({});
}

ExitCode CannotListen(const Error& error, const ServeConfig& config) {
  if (error.code != ErrorCode::kUnavailable) return Stop(error, ExitCode::kUsage);
  return Stop(
      {error.code, fmt::format("{}; choose another with --port N (0: any free one), this is {}",
                               error.message, config.server.port)},
      ExitCode::kUsage);
}

ExitCode Serve(const ServeConfig& config, const runtime::Supervisor::Options& options,
               ServiceLog& log) {
  const auto notify = Notify(log);  // before the supervisor counts its descriptors
  const SystemClock clock;
  auto supervisor = runtime::Supervisor::Start(clock, options);
  if (!supervisor) return Stop(supervisor.error(), ExitCode::kInternal);
  notify->StartWatchdog((*supervisor)->loop());
  ExitCode code = ExitCode::kOk;
  {
    auto server =
        server::Server::Create(clock, **supervisor, config.server, Hooks(config, log, *notify));
    if (server) {
      PrintLink(**server, log, config);
      (*server)->Run();
    } else {
      code = CannotListen(server.error(), config);
    }
  }
  const std::string account = (*supervisor)->Stop(kStopGrace);
  return code == ExitCode::kOk && account != runtime::kNothingLeaked ? ExitCode::kInternal : code;
}

ExitCode RunServe(const ServeCall& call) {
  ServeConfig config;
  std::vector<std::string> problems = LoadServeConfig(call.config_file, call.flags, config);
  if (!problems.empty()) return StopForAll(problems);
  if (call.print_config) {
    fmt::print("{}", ToToml(ServeSettings(config)));
    return ExitCode::kOk;
  }
  std::string warning;
  problems = Check(config, warning);
  if (!problems.empty()) return StopForAll(problems);
  auto options = ToSupervisorOptions(config.service);
  if (!options) return Stop(options.error(), ExitCode::kModel);
  if (!warning.empty()) Say("holostat: warning: {}\n", Printable(warning));
  if (call.check_config) {
    fmt::print("the configuration is right\n");
    return ExitCode::kOk;
  }
  PrepareSignals();
  ServiceLog log(STDERR_FILENO, *server::ParseLogFormat(config.log_format));
  options->on_event = [&log](const runtime::ServiceEvent& event) { log.Event(event); };
  return Serve(config, *options, log);
}

constexpr char kFooter[] =
    "Each setting is also a key of the file (--print-config shows all, with comments) and a "
    "variable of the\nenvironment: --max-body-mb is max_body_mb and HOLOSTAT_MAX_BODY_MB. Flags "
    "go before variables, variables\nbefore the file. Running it for others: docs/serve.md.\n\n"
    "Examples:\n"
    "  holostat serve\n"
    "  holostat serve --port 9000 --workers 4 --log-requests --log-format json\n"
    "  holostat serve --address 0.0.0.0 --token-file token --tls-certificate cert.pem --tls-key "
    "key.pem\n"
    "  holostat serve --print-config > holostat.toml; holostat serve --config holostat.toml "
    "--check-config\n"
    "  curl --data-binary @picture.jpg http://127.0.0.1:8080/v1/track";

}  // namespace

Command AddServeCommand(CLI::App& program) {
  auto call = std::make_shared<ServeCall>();
  CLI::App* parser = program.add_subcommand("serve", "Track pictures and cameras over HTTP");
  parser->footer(kFooter);
  parser
      ->add_option(
          "--config", call->config_file,
          fmt::format("Settings in TOML (default: {}, if it is there)", kDefaultConfigFile))
      ->type_name("FILE");
  parser->add_flag("--print-config", call->print_config, "Print all settings as such a file");
  parser->add_flag("--check-config", call->check_config, "Say what is wrong with the settings");
  ServeConfig defaults;
  AddSettingFlags(*parser, ServeSettings(defaults),
                  [call](std::string_view name, std::string_view text) -> Result<void> {
                    call->flags.insert_or_assign(std::string(name), text);
                    return {};
                  });
  return {parser, [call] { return RunServe(*call); }};
}

}  // namespace holostat::app
