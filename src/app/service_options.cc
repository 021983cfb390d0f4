#include "app/service_options.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "app/models_dir.h"
#include "app/setting_flags.h"

namespace holostat::app {
namespace {

std::size_t UsableProcessors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

ipc::Complexity Named(const std::string& name) {
  if (name == "lite") return ipc::Complexity::kLite;
  return name == "heavy" ? ipc::Complexity::kHeavy : ipc::Complexity::kFull;
}

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace

std::vector<Setting> ServiceSettings(ServiceOptions& options) {
  const std::string_view section = "service";
  return {
      {section, "models", &options.models_dir, "DIR", "Folder of the models (holostat models)"},
      {section, "workers", &options.workers, "N",
       "Worker processes (default 0: one for each processor that we may use)", 0, 256},
      {.section = section,
       .name = "complexity",
       .value = &options.complexity,
       .type = "NAME",
       .help = "Pose model",
       .choices = {"lite", "full", "heavy"}},
      {section, "budget_mb", &options.budget_mb, "MB",
       "Memory of all processes together (PSS) above which quality is given up step by step "
       "(default 0: the control group's limit alone)",
       0, 1 << 24},
      {section, "worker_budget_mb", &options.worker_budget_mb, "MB",
       "Private memory (USS) at which a worker is replaced", 1, 1 << 24},
      {section, "worker_limit_mb", &options.worker_limit_mb, "MB",
       "Address space that a worker may take at all", 1, 1 << 24},
      {section, "max_requests", &options.max_requests, "N",
       "Requests after which a worker is replaced; 0: never"},
      {section, "job_timeout", &options.job_timeout_s, "S",
       "Seconds after which a worker at work is killed", 0.01, 3600},
      {section, "queue", &options.queue, "N",
       "Requests that may wait, further ones are refused (default 0: 8 for each worker)", 0, 65536},
      {section, "queue_timeout", &options.queue_timeout_s, "S",
       "Seconds after which one that waits is refused", 0.01, 3600},
  };
}

// They are valid once parsed: a wrong one ends the parsing.
void AddServiceOptions(CLI::App& parser, ServiceOptions& options) {
  AddSettingFlags(parser, ServiceSettings(options),
                  [&options](std::string_view name, std::string_view text) -> Result<void> {
                    for (const Setting& setting : ServiceSettings(options)) {
                      if (setting.name == name) return SetFromText(setting, text);
                    }
                    return {};
                  });
}

ipc::Complexity ComplexityOf(const ServiceOptions& options) { return Named(options.complexity); }

std::vector<ipc::Complexity> LoadedComplexities(const ServiceOptions& options) {
  std::vector<ipc::Complexity> loaded{ipc::Complexity::kLite};
  if (const auto asked = ComplexityOf(options); asked != ipc::Complexity::kLite)
    loaded.push_back(asked);
  return loaded;
}

Result<runtime::Supervisor::Options> ToSupervisorOptions(const ServiceOptions& options) {
  runtime::Supervisor::Options supervisor;
  const auto models = HOLO_TRY(LocateModels(options.models_dir));
  supervisor.zygote = {"/proc/self/exe",
                       {"zygote", "--models", models.string(), "--worker-memory-mb",
                        fmt::to_string(options.worker_limit_mb)}};
  for (const ipc::Complexity one : LoadedComplexities(options))
    supervisor.models |= ipc::ModelBit(one);
  supervisor.pool.workers = options.workers != 0 ? options.workers : UsableProcessors();
  supervisor.pool.job_timeout = Milliseconds(options.job_timeout_s);
  supervisor.pool.queue_max_age = Milliseconds(options.queue_timeout_s);
  supervisor.pool.queue_capacity =
      options.queue != 0 ? options.queue : ServiceOptions::kQueueOfWorker * supervisor.pool.workers;
  supervisor.monitor.recycle.max_uss_bytes = options.worker_budget_mb << 20;
  supervisor.monitor.recycle.max_requests = options.max_requests;
  supervisor.monitor.recycle_workers = options.govern;
  supervisor.govern = options.govern;
  supervisor.budget_bytes = options.budget_mb << 20;
  return supervisor;
}

}  // namespace holostat::app
