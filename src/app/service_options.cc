#include "app/service_options.h"

#include <fmt/format.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/models_dir.h"

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

}  // namespace

void AddServiceOptions(CLI::App& parser, ServiceOptions& options) {
  const CLI::IsMember complexities({"lite", "full", "heavy"});
  parser.add_option("--models", options.models_dir, "Folder of the models (holostat models)")
      ->type_name("DIR");
  parser.add_option("--workers", options.workers, "Worker processes (default: one a processor)")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  parser
      .add_option("--complexity", options.complexity,
                  "Pose model: {lite,full,heavy} (default full)")
      ->check(complexities);
  parser
      .add_option("--budget-mb", options.budget_mb,
                  "Memory of all processes together (PSS) above which quality is given up step by "
                  "step (default: the control group's limit alone)")
      ->type_name("MB");
  parser
      .add_option("--worker-budget-mb", options.worker_budget_mb,
                  "Private memory (USS) at which a worker is replaced (default 96)")
      ->type_name("MB");
  parser
      .add_option("--worker-limit-mb", options.worker_limit_mb,
                  "Address space that a worker may take at all (default 512)")
      ->type_name("MB");
  parser
      .add_option("--max-requests", options.max_requests,
                  "Requests after which a worker is replaced (default 20000, 0: never)")
      ->type_name("N");
  parser
      .add_option("--job-timeout", options.job_timeout_s,
                  "Seconds after which a worker at work is killed (default 10)")
      ->type_name("S")
      ->check(CLI::Range(0.01, 3600.0));
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
    supervisor.models |= 1u << static_cast<unsigned>(one);
  supervisor.pool.workers = options.workers != 0 ? options.workers : UsableProcessors();
  supervisor.pool.job_timeout =
      std::chrono::milliseconds(static_cast<std::int64_t>(options.job_timeout_s * 1000));
  supervisor.monitor.recycle.max_uss_bytes = options.worker_budget_mb << 20;
  supervisor.monitor.recycle.max_requests = options.max_requests;
  supervisor.monitor.recycle_workers = options.govern;
  supervisor.govern = options.govern;
  supervisor.budget_bytes = options.budget_mb << 20;
  return supervisor;
}

}  // namespace holostat::app
