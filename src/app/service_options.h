#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "app/setting.h"
#include "base/result.h"
#include "ipc/message.h"
#include "runtime/supervisor.h"

namespace holostat::app {

// The options of a command that runs a service: a supervisor with its zygote and workers.
struct ServiceOptions {
  // So short that what waits is done within a second after a flood has ended.
  static constexpr std::size_t kQueueOfWorker = 8;

  std::string models_dir;
  std::size_t workers = 0;          // 0: one for each processor that we may use
  std::string complexity = "full";  // and lite, to fall back to
  std::uint64_t budget_mb = 0;      // 0: none but the control group's
  std::uint64_t worker_budget_mb = 96;
  std::uint64_t worker_limit_mb = 512;
  std::uint64_t max_requests = 20000;
  double job_timeout_s = 10;
  std::size_t queue = 0;  // requests that wait; 0: kQueueOfWorker for each worker
  double queue_timeout_s = 10;
  bool govern = true;
};

// Them as settings, of the section "service"; `options` outlives what is returned.
std::vector<Setting> ServiceSettings(ServiceOptions& options);

// Adds them to `parser`; `options` must outlive it.
void AddServiceOptions(CLI::App& parser, ServiceOptions& options);

ipc::Complexity ComplexityOf(const ServiceOptions& options);
std::vector<ipc::Complexity> LoadedComplexities(const ServiceOptions& options);

// What the supervisor needs. Error: kNotFound (no models).
Result<runtime::Supervisor::Options> ToSupervisorOptions(const ServiceOptions& options);

}  // namespace holostat::app
